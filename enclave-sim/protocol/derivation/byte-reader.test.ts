import { hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteReader, encodeUvarint } from './byte-reader.ts'

/** Worked out by hand from the protobuf definition. */
const VECTORS = [
  [0n, '0x00'],
  [1n, '0x01'],
  [127n, '0x7f'],
  [128n, '0x8001'],
  [300n, '0xac02'],
  [(1n << 64n) - 1n, '0xffffffffffffffffff01'],
] as const

test.each(VECTORS)('given %s, its varint is %s and back', (value, hex) => {
  expect(encodeUvarint(value)).toEqual(hexToBytes(hex))
  expect(byteReader(hexToBytes(hex)).uvarint()).toBe(value)
})

test('given any 64-bit number, its varint reads back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (value) => {
      expect(byteReader(encodeUvarint(value)).uvarint()).toBe(value)
    }),
    { seed: 6 },
  )
})

test.each([
  ['65 bits', '0xffffffffffffffffff02'],
  ['eleven bytes', '0x8080808080808080808000'],
  ['no end', '0x80'],
] as const)('given a varint with %s, it is refused', (_name, hex) => {
  expect(() => byteReader(hexToBytes(hex)).uvarint()).toThrow(/batch/)
})
