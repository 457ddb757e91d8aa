import { hashedKey } from '../trie/hashed-key.ts'
import type { Log } from '../types/block.ts'
import type { Hex } from '../types/bytes.ts'

/** The 2048-bit bloom filter over addresses and topics (Yellow Paper, 4.3.1). */
export function logsBloom(logs: readonly Log[]): Uint8Array {
  const bloom = new Uint8Array(256)
  for (const log of logs) {
    add(bloom, log.address)
    for (const topic of log.topics) add(bloom, topic)
  }
  return bloom
}

/** Adds all bits of `other` to `bloom`. */
export function mergeBloom(bloom: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < 256; i++) bloom[i]! |= other[i]!
}

/** False only if nothing with this address or topic went into the bloom. */
export function bloomMayContain(bloom: Uint8Array, item: Hex): boolean {
  return bits(item).every(([byte, mask]) => (bloom[byte]! & mask) !== 0)
}

function add(bloom: Uint8Array, item: Hex): void {
  for (const [byte, mask] of bits(item)) bloom[byte]! |= mask
}

function bits(item: Hex): [byte: number, mask: number][] {
  const hash = hashedKey(item)
  return [0, 2, 4].map((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047
    return [255 - (bit >> 3), 1 << (bit & 7)]
  })
}
