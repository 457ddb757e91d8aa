import type { Hash, Hex } from '#protocol/types/bytes'

export const ZERO_HASH: Hash = `0x${'0'.repeat(64)}`

/** A quantity as the wire has it: 0x and no leading zeros (RPC-ENV-12). */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}
