import { hashedKey } from '../trie/hashed-key.ts'
import type { Log } from '../types/block.ts'
import type { Hex } from '../types/bytes.ts'

/** The 2048-bit bloom filter over addresses and topics (Yellow Paper, 4.3.1). */
export function logsBloom(logs: readonly Log[]): Uint8Array {
  const bloom = new Uint8Array(256)
  addLogs(bloom, logs)
  return bloom
}

/** Adds what logs have to `bloom`. */
export function addLogs(bloom: Uint8Array, logs: readonly Log[]): void {
  for (const log of logs) {
    add(bloom, log.address)
    for (const topic of log.topics) add(bloom, topic)
  }
}

/** Adds all bits of `other` to `bloom`. */
export function mergeBloom(bloom: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < 256; i++) bloom[i]! |= other[i]!
}

/** False only if nothing with this address or topic went into the bloom. */
export function bloomMayContain(bloom: Uint8Array, item: Hex): boolean {
  const hash = hashedKey(item)
  for (let at = 0; at < 6; at += 2) {
    const bit = bitAt(hash, at)
    if ((bloom[255 - (bit >> 3)]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}

function add(bloom: Uint8Array, item: Hex): void {
  const hash = hashedKey(item)
  for (let at = 0; at < 6; at += 2) {
    const bit = bitAt(hash, at)
    bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
  }
}

function bitAt(hash: Uint8Array, at: number): number {
  return ((hash[at]! << 8) | hash[at + 1]!) & 2047
}
