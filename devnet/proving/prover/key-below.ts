import { setImmediate } from 'node:timers/promises'
import type { Hex } from 'viem'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256 } from '#protocol/crypto/keccak'
import { commonPrefixLength, type Nibbles, toNibbles } from '#protocol/trie/nibbles'

/** Half-bytes that are tried for: some million hashes, in seconds. Tries of 16^5 values have them. */
const LONGEST = 5
/** So many times the expected number of tries: it then fails once in 10^7. */
const PATIENCE = 16
const AT_ONCE = 20_000

/**
 * A key whose Keccak-256 begins with these half-bytes, by trying one number after the other.
 * @param options.size bytes of the key: 20 of an address, 32 of a slot
 * @returns undefined when the path is too long to find one
 */
export async function keyBelow(
  path: Nibbles,
  { size }: { size: 20 | 32 },
): Promise<Hex | undefined> {
  if (path.length > LONGEST) return undefined
  const key = new Uint8Array(size)
  const view = new DataView(key.buffer)
  const tries = PATIENCE * 16 ** path.length
  for (let number = 1; number <= tries; number++) {
    view.setUint32(size - 4, number)
    const hash = toNibbles(keccak256(key).subarray(0, 3))
    if (commonPrefixLength(path, hash) === path.length) return bytesToHex(key)
    if (number % AT_ONCE === 0) await setImmediate()
  }
  return undefined
}
