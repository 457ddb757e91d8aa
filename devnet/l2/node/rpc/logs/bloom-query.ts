import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Hex } from '#protocol/types/bytes'
import type { LogMatcher } from './log-matcher.ts'

/** A bit of a bloom filter in hex: which character, and which of its four bits. */
type Bit = readonly [at: number, mask: number]

/**
 * Prepares the question whether a block can hold a log that matches, to be asked of many blooms
 * (Yellow Paper, 4.3.1). False is certain, true is not.
 */
export function bloomQuery({ addresses, topics }: LogMatcher): (bloom: Hex) => boolean {
  const clauses = [addresses, ...topics]
    .filter((values) => values !== undefined)
    .map((values) => [...values].map(bitsOf))
  return (bloom) =>
    clauses.every((values) => values.some((bits) => bits.every((bit) => isSet(bloom, bit))))
}

function bitsOf(item: Hex): Bit[] {
  const hash = keccak256(hexToBytes(item))
  return [0, 2, 4].map((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047
    // Bit 0 is the lowest bit of the last of 512 hex characters, which follow "0x".
    return [2 + 511 - (bit >> 2), 1 << (bit & 3)]
  })
}

function isSet(bloom: Hex, [at, mask]: Bit): boolean {
  return (Number.parseInt(bloom[at]!, 16) & mask) !== 0
}
