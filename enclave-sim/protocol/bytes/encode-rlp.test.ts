import { encode } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeRlp, type RlpItem } from './encode-rlp.ts'

const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('item'), { maxLength: 8 }),
  ),
}))

test('given any item, then the reference encodes it the same', () => {
  fc.assert(
    fc.property(item, (given) => {
      expect(encodeRlp(given)).toEqual(encode(given as never))
    }),
    { numRuns: 500 },
  )
})

test.each([0, 1, 54, 55, 56, 57, 255, 256, 65_535, 65_536, 70_000])(
  'given %d bytes, alone and in a list, then the reference encodes them the same',
  (length) => {
    const bytes = new Uint8Array(length).fill(0x80)
    expect(encodeRlp(bytes)).toEqual(encode(bytes))
    expect(encodeRlp([bytes, [bytes]])).toEqual(encode([bytes, [bytes]]))
  },
)

test.each([0, 1, 0x7f, 0x80, 0xff])('given the single byte %d, likewise', (byte) => {
  expect(encodeRlp(Uint8Array.of(byte))).toEqual(encode(Uint8Array.of(byte)))
})
