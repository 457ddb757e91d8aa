/** Bytes of an EIP-4844 blob: 4096 field elements of 32 bytes. */
export const BLOB_SIZE = 131_072
/** What fits into one blob: 1024 rounds of 127 bytes, less version and length. */
export const MAX_BLOB_DATA = 1024 * 127 - 4

/** The only encoding there is. */
const VERSION = 0
/** Four field elements, which carry 127 bytes: 4 × 31 whole ones, and 3 in the 4 × 6 bits left. */
const ROUND_IN = 128
const ROUND_OUT = 127

/**
 * Puts a batcher transaction's data into a blob. Source: OP specs, Ecotone Derivation, "Blob Encoding".
 * @param data at most MAX_BLOB_DATA bytes
 * @throws RangeError for more bytes than a blob holds
 */
export function encodeBlob(data: Uint8Array): Uint8Array {
  if (data.length > MAX_BLOB_DATA) throw new RangeError(`${data.length} bytes do not fit in a blob`)
  const input = new Uint8Array(ROUND_OUT * 1024)
  input.set([VERSION, data.length >> 16, (data.length >> 8) & 0xff, data.length & 0xff])
  input.set(data, 4)
  const blob = new Uint8Array(BLOB_SIZE)
  for (let from = 0, to = 0; to < BLOB_SIZE; from += ROUND_OUT, to += ROUND_IN) {
    const at = (index: number) => input[from + index]!
    const [x, y, z] = [at(31), at(63), at(95)]
    blob[to] = x & 0x3f
    blob[to + 32] = (y & 0x0f) | ((x & 0xc0) >> 2)
    blob[to + 64] = z & 0x3f
    blob[to + 96] = ((z & 0xc0) >> 2) | ((y & 0xf0) >> 4)
    for (let i = 0; i < 4; i++) {
      blob.set(input.subarray(from + 32 * i, from + 32 * i + 31), to + 32 * i + 1)
    }
  }
  return blob
}

/** @returns the data; undefined when the blob is not encoded so, for then it is ignored. */
export function decodeBlob(blob: Uint8Array): Uint8Array | undefined {
  if (blob.length !== BLOB_SIZE || blob[1] !== VERSION) return undefined
  const length = (blob[2]! << 16) | (blob[3]! << 8) | blob[4]!
  if (length > MAX_BLOB_DATA) return undefined

  const output = new Uint8Array(ROUND_OUT * 1024)
  for (let from = 0, to = 0; from < BLOB_SIZE; from += ROUND_IN, to += ROUND_OUT) {
    const [a, b, c, d] = [blob[from]!, blob[from + 32]!, blob[from + 64]!, blob[from + 96]!]
    // Deployed derivers do not look at the first element's two bits, so neither may we.
    if (((from === 0 ? 0 : a) | b | c | d) & 0xc0) return undefined
    for (let i = 0; i < 4; i++) {
      output.set(blob.subarray(from + 32 * i + 1, from + 32 * i + 32), to + 32 * i)
    }
    output[to + 31] = (a & 0x3f) | ((b & 0x30) << 2)
    output[to + 63] = (b & 0x0f) | ((d & 0x0f) << 4)
    output[to + 95] = (c & 0x3f) | ((d & 0x30) << 2)
  }
  const end = 4 + length
  // What stands behind the data must be zero.
  return output.subarray(end).some((byte) => byte !== 0) ? undefined : output.subarray(4, end)
}
