const HASH_SIZE = 8192
const MAX_MATCH = 262
const MAX_DISTANCE = 8192

/** Where each hashed sequence was seen last; cleared for every run. */
const table = new Int32Array(HASH_SIZE)

/**
 * The length FastLZ (level 1) would compress `data` to. OP spec, Fjord: "FastLZ Implementation"; the
 * result is consensus-critical, so it follows that algorithm step by step.
 */
export function fastLzSize(data: Uint8Array): number {
  table.fill(0)
  const limit = data.length < 13 ? 0 : data.length - 13
  let size = 0
  let anchor = 0
  let at = 2
  while (at < limit) {
    let reference = 0
    for (;;) {
      const sequence = read24(data, at)
      const slot = hashOf(sequence)
      reference = table[slot]!
      table[slot] = at
      const distance = at - reference
      if (at >= limit) break
      at++
      if (distance < MAX_DISTANCE && sequence === read24(data, reference)) break
    }
    if (at >= limit) break
    at--
    if (at > anchor) size += literalsSize(at - anchor)
    const length = matchLength(data, reference + 3, at + 3, limit + 9)
    size += matchSize(length)
    at += length
    table[hashOf(read24(data, at))] = at++
    table[hashOf(read24(data, at))] = at++
    anchor = at
  }
  return size + literalsSize(data.length - anchor)
}

function read24(data: Uint8Array, at: number): number {
  return data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16)
}

function hashOf(sequence: number): number {
  return (Math.imul(sequence, 2654435769 | 0) >>> 19) & (HASH_SIZE - 1)
}

/** Runs of up to 32 literals, each with a byte of length. */
function literalsSize(count: number): number {
  const rest = count % 32
  return 33 * Math.floor(count / 32) + (rest === 0 ? 0 : rest + 1)
}

function matchLength(data: Uint8Array, earlier: number, later: number, end: number): number {
  let length = 0
  const most = end - later
  while (length < most) {
    length++
    if (data[earlier + length - 1] !== data[later + length - 1]) break
  }
  return length
}

function matchSize(length: number): number {
  const most = length - 1
  const rest = most % MAX_MATCH
  return 3 * Math.floor(most / MAX_MATCH) + (rest >= 6 ? 3 : 2)
}
