import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'

/** So many bytes that are always the same and look like none in particular: cut anywhere, they are others. */
export function anyBytes(length: number, seed: Hex = '0x'): Hex {
  let digits = ''
  for (let word = keccak256(seed); digits.length < 2 * length; word = keccak256(word))
    digits += word.slice(2)
  return `0x${digits.slice(0, 2 * length)}`
}
