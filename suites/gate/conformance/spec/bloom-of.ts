import type { Hex } from '../wire/hex.ts'
import { keccak256 } from './hash.ts'

/** Bloom filter over addresses and topics (yellow paper 4.3.1): three bits for each. */
export function bloomOf(values: readonly Hex[]): Hex {
  const bits = new Uint8Array(256)
  for (const value of values) {
    const hash = keccak256(value)
    for (const pair of [0, 1, 2]) {
      const bit = Number.parseInt(hash.slice(2 + 4 * pair, 6 + 4 * pair), 16) & 2047
      bits[255 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return `0x${Buffer.from(bits).toString('hex')}`
}
