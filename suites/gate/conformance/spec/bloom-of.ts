import type { Hex } from '../wire/hex.ts'
import { keccak256 } from './hash.ts'

/** Bloom filter over addresses and topics (yellow paper 4.3.1): three bits for each. */
export function bloomOf(values: readonly Hex[]): Hex {
  const bits = new Uint8Array(256)
  for (const value of values) {
    const hash = hashOf(value)
    for (const pair of [0, 1, 2]) {
      const bit = Number.parseInt(hash.slice(2 + 4 * pair, 6 + 4 * pair), 16) & 2047
      bits[255 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return `0x${Buffer.from(bits).toString('hex')}`
}

const MOST_REMEMBERED = 20_000
const hashes = new Map<Hex, Hex>()

/** Blocks under construction have the same logs again and again. */
function hashOf(value: Hex): Hex {
  const known = hashes.get(value)
  if (known) return known
  if (hashes.size >= MOST_REMEMBERED) hashes.clear()
  const hash = keccak256(value)
  hashes.set(value, hash)
  return hash
}
