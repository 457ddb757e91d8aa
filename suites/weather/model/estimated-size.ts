import { type Hex, hexToBytes } from 'viem'

/** OP specification, Fjord: what a transaction takes of L1 once it is compressed, in millionths of a byte. */
export function estimatedSize(raw: Hex): bigint {
  const scaled = -42_585_600n + 836_500n * BigInt(compressedLength(hexToBytes(raw)))
  return scaled > LEAST ? scaled : LEAST
}

/** Of a hundred bytes. */
const LEAST = 100_000_000n

const TABLE = 8_192
const LONGEST = 262

/** How long FastLZ level 1 would make it, by the algorithm that the specification names. */
function compressedLength(bytes: Uint8Array): number {
  const table = new Uint32Array(TABLE)
  const three = (at: number) => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
  const hash = (value: number) => (Math.imul(2_654_435_769, value) >>> 19) & (TABLE - 1)
  const remember = (at: number) => {
    table[hash(three(at))] = at
    return at + 1
  }
  const limit = Math.max(0, bytes.length - 13)
  let length = 0
  let written = 0
  for (let at = 2; at < limit; ) {
    let earlier = 0
    let isMatch = false
    while (at < limit && !isMatch) {
      const value = three(at)
      earlier = table[hash(value)]!
      table[hash(value)] = at
      isMatch = at - earlier < TABLE && value === three(earlier)
      at += 1
    }
    if (at >= limit) break
    at -= 1
    if (at > written) length += literals(at - written)
    const more = sameBytes(bytes, earlier + 3, at + 3, limit + 9)
    length += 3 * Math.floor((more - 1) / LONGEST) + ((more - 1) % LONGEST >= 6 ? 3 : 2)
    at = remember(remember(at + more))
    written = at
  }
  return length + literals(bytes.length - written)
}

/** Runs of 32 bytes with one byte before each. */
const literals = (count: number) => count + Math.ceil(count / 32)

/** How many bytes are the same from here on, and one more where one is not. */
function sameBytes(bytes: Uint8Array, first: number, second: number, end: number): number {
  for (let count = 0; second + count < end; count++)
    if (bytes[first + count] !== bytes[second + count]) return count + 1
  return end - second
}
