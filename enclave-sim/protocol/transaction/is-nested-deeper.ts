/**
 * Whether lists stand in lists more than `limit` deep. Looks at each header once and copies nothing,
 * where `decode` of @ethereumjs/rlp copies what is left at each level: a megabyte nested 3,000 deep
 * would cost it gigabytes. What is malformed is left for `decode` to find.
 */
export function isNestedDeeper(bytes: Uint8Array, limit: number): boolean {
  const ends: number[] = []
  for (let at = 0; at < bytes.length; ) {
    while (ends.length > 0 && at >= ends.at(-1)!) ends.pop()
    const first = bytes[at]!
    const short = first < 0x80 ? 0 : first - (first < 0xc0 ? 0x80 : 0xc0)
    const lengthBytes = Math.max(0, short - 55)
    const start = at + (first < 0x80 ? 0 : 1) + lengthBytes
    let length = first < 0x80 ? 1 : short
    if (lengthBytes > 0) {
      length = 0
      for (let i = start - lengthBytes; i < start; i++) length = length * 256 + (bytes[i] ?? 0)
    }
    if (first >= 0xc0 && ends.push(start + length) > limit) return true
    at = first < 0xc0 ? start + length : start
  }
  return false
}
