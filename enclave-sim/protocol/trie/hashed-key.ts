import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Hex } from '../types/bytes.ts'

const LIMIT = 50_000
const cache = new Map<Hex, Uint8Array>()

/**
 * The keccak-256 of an address, slot or log topic: its key in a trie, or its bits in a bloom. Hot ones
 * are kept.
 */
export function hashedKey(key: Hex): Uint8Array {
  let hashed = cache.get(key)
  if (!hashed) {
    if (cache.size >= LIMIT) cache.clear()
    hashed = keccak256(hexToBytes(key))
    cache.set(key, hashed)
  }
  return hashed
}
