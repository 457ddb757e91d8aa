import { hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BLOB_SIZE, decodeBlob, encodeBlob, MAX_BLOB_DATA } from './blob-encoding.ts'

describe('given data in a blob', () => {
  test('when it is read back, it is the same, up to the longest', () => {
    const lengths = fc.constantFrom(0, 1, 26, 27, 28, 123, 124, 127, 250, 4_000, MAX_BLOB_DATA)
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 255 }), (length, seed) => {
        const data = Uint8Array.from({ length }, (_, i) => (i * seed) ^ (i >> 8))
        expect(decodeBlob(encodeBlob(data))).toEqual(data)
      }),
      { numRuns: 30 },
    )
  })

  // OP specs, Ecotone, "Blob Encoding": version, 24-bit length, and the 128th byte of 6-bit pieces.
  test('when looked at, its first round has the fields where the specification says', () => {
    const data = new Uint8Array(123)
    const x = 0b11_010101
    const y = 0b1001_0110
    const z = 0b10_110011
    data.fill(0xaa, 0, 27)
    data[27] = x
    data.fill(0xbb, 28, 59)
    data[59] = y
    data.fill(0xcc, 60, 91)
    data[91] = z
    data.fill(0xdd, 92, 123)
    const blob = encodeBlob(data)
    const element = (index: number) => blob.subarray(32 * index, 32 * index + 32)
    expect(blob).toHaveLength(BLOB_SIZE)
    expect(element(0)).toEqual(hexToBytes(`0x15${'00'}00007b${'aa'.repeat(27)}`))
    expect(element(1)).toEqual(hexToBytes(`0x36${'bb'.repeat(31)}`))
    expect(element(2)).toEqual(hexToBytes(`0x33${'cc'.repeat(31)}`))
    expect(element(3)).toEqual(hexToBytes(`0x29${'dd'.repeat(31)}`))
    expect(blob.subarray(128).every((byte) => byte === 0)).toBe(true)
  })
})

test.each([
  ['another version', 1, 1],
  ['a length beyond the blob', 2, 0x02],
  ['a high bit in the second field element', 32, 0x40],
  ['a high bit in the last field element', BLOB_SIZE - 32, 0x80],
  ['data behind the end in the same round', 127, 1],
  ['data behind the end in the last round', BLOB_SIZE - 1, 1],
  ['a length that cuts data off', 4, 1],
])('given a blob with %s, it is ignored', (_name, at, change) => {
  const blob = encodeBlob(Uint8Array.from({ length: 61 }, () => 7))
  blob.set([blob[at]! ^ change], at)
  expect(decodeBlob(blob)).toBeUndefined()
})

test('given bits above the first field element’s six, they do not matter, as in deployed derivers', () => {
  const blob = encodeBlob(Uint8Array.of(1, 2, 3))
  blob.set([blob[0]! | 0x40])
  expect(decodeBlob(blob)).toEqual(Uint8Array.of(1, 2, 3))
})

test('given a wrong number of bytes, there is nothing', () => {
  expect(decodeBlob(new Uint8Array(BLOB_SIZE - 1))).toBeUndefined()
  expect(decodeBlob(new Uint8Array(0))).toBeUndefined()
  expect(() => encodeBlob(new Uint8Array(MAX_BLOB_DATA + 1))).toThrow(RangeError)
})
