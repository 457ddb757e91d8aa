/** Paths are arrays of half-bytes, one per element. */
export type Nibbles = Uint8Array

/**
 * Two half-bytes for each byte, the higher one first.
 * @example
 * toNibbles(Uint8Array.of(0x2a)) // Uint8Array.of(2, 10)
 */
export function toNibbles(key: Uint8Array): Nibbles {
  const nibbles = new Uint8Array(key.length * 2)
  for (let i = 0; i < key.length; i++) {
    nibbles[2 * i] = key[i]! >> 4
    nibbles[2 * i + 1] = key[i]! & 15
  }
  return nibbles
}

/**
 * The inverse of `toNibbles`; the path must have even length.
 * @example
 * fromNibbles(Uint8Array.of(2, 10)) // Uint8Array.of(0x2a)
 */
export function fromNibbles(path: Nibbles): Uint8Array {
  const key = new Uint8Array(path.length / 2)
  for (let i = 0; i < key.length; i++) key[i] = (path[2 * i]! << 4) | path[2 * i + 1]!
  return key
}

/**
 * Hex-prefix encoding (Yellow Paper, appendix C), of a path or the part of it that is named.
 * @example
 * encodePath(Uint8Array.of(1, 2, 3, 4, 5), false) // Uint8Array.of(0x11, 0x23, 0x45)
 * encodePath(Uint8Array.of(0, 15, 1, 12, 11, 8), true) // Uint8Array.of(0x20, 0x0f, 0x1c, 0xb8)
 */
export function encodePath(path: Nibbles, isLeaf: boolean, from = 0, to = path.length): Uint8Array {
  const odd = (to - from) & 1
  const bytes = new Uint8Array(((to - from) >> 1) + 1)
  bytes[0] = (isLeaf ? 0x20 : 0) | (odd ? 0x10 | path[from]! : 0)
  for (let i = from + odd, at = 1; i < to; i += 2, at++) {
    bytes[at] = (path[i]! << 4) | path[i + 1]!
  }
  return bytes
}

/** The inverse of `encodePath`; undefined for anything that encoding never produces. */
export function decodePath(bytes: Uint8Array): { path: Nibbles; isLeaf: boolean } | undefined {
  const flags = bytes[0]
  if (flags === undefined || flags & 0xc0) return undefined
  const odd = flags & 0x10
  if (!odd && flags & 0x0f) return undefined
  return { path: toNibbles(bytes).subarray(odd ? 1 : 2), isLeaf: (flags & 0x20) !== 0 }
}

/**
 * How many nibbles two paths have in common from their start.
 * @example
 * commonPrefixLength(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)) // 2
 */
export function commonPrefixLength(a: Nibbles, b: Nibbles): number {
  const length = Math.min(a.length, b.length)
  let i = 0
  while (i < length && a[i] === b[i]) i++
  return i
}

/**
 * The paths one behind the other, as a new array.
 * @example
 * joinPaths(Uint8Array.of(1), Uint8Array.of(2, 3)) // Uint8Array.of(1, 2, 3)
 */
export function joinPaths(...parts: Nibbles[]): Nibbles {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
