/** What a text of JSON may hold. */
export interface JsonLimits {
  /** Values and names together. */
  maxValues: number
  /** Lists and objects within each other. */
  maxDepth: number
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const SPACE = 0x20

/**
 * Looks at JSON before it is parsed: what is short to send may be long to make, and longer to hand on. It
 * takes some 2 ns a byte and no memory. What is not JSON is not found out here.
 *
 * @returns what is too much, as in `more than 64 deep`; undefined when it is within its limits
 */
export function measureJson(bytes: Uint8Array, limits: JsonLimits): string | undefined {
  let values = 0
  let depth = 0
  let isInPlain = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      isInPlain = false
      values += 1
      depth += 1
      if (depth > limits.maxDepth) return `more than ${limits.maxDepth} deep`
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      isInPlain = false
      depth -= 1
    } else if (byte === QUOTE) {
      isInPlain = false
      values += 1
      at = endOfString(bytes, at + 1)
    } else if (byte === COMMA || byte === COLON || byte <= SPACE) {
      isInPlain = false
    } else if (!isInPlain) {
      // A number, true, false or null.
      isInPlain = true
      values += 1
    }
    if (values > limits.maxValues) return `more than ${limits.maxValues} values and names`
  }
  return undefined
}

/** Where the quote stands that ends a string. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let start = from; ; ) {
    const end = bytes.indexOf(QUOTE, start)
    if (end < 0) return bytes.length
    let first = end
    while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
    if ((end - first) % 2 === 0) return end
    start = end + 1
  }
}
