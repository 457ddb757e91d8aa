import type { Address, Hash, Hex } from '../types/bytes.ts'

/**
 * Under which a fork's source has an account, or a slot, of the chain that was forked. It is longer or
 * shorter than a hash, so that it is never taken for one.
 */
export function remoteKey(address: Address, slot?: Hash): Hex {
  return slot === undefined ? address : `${address}${slot.slice(2)}`
}

/** The way back; undefined for a hash. */
export function remotePlace(key: Hex): { address: Address; slot?: Hash } | undefined {
  if (key.length === 42) return { address: key }
  if (key.length !== 106) return undefined
  return { address: key.slice(0, 42) as Address, slot: `0x${key.slice(42)}` }
}
