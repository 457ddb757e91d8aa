import { encode } from '@ethereumjs/rlp'
import { bigIntToUnpaddedBytes, bytesToHex, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../types/bytes.ts'
import { encodeRlp, encodeRlpForNow, type RlpItem, rlpLength } from './encode-rlp.ts'

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

const anyHex = fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => bytesToHex(bytes))
const anyNumber = fc.oneof(fc.bigInt(0n, 2n ** 256n), fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 60n))

test('given hex and numbers, then the reference encodes the same bytes the same', () => {
  const items = fc.array(fc.oneof(anyHex, anyNumber, fc.uint8Array({ maxLength: 3 })))
  fc.assert(
    fc.property(items, (given) => {
      const bytes = given.map((one) => {
        if (typeof one === 'bigint') return bigIntToUnpaddedBytes(one)
        return typeof one === 'string' ? hexToBytes(one) : one
      })
      expect(encodeRlp([given, ...given])).toEqual(encode([bytes, ...bytes]))
    }),
    { numRuns: 500 },
  )
  for (const edge of [0n, 0x7fn, 0x80n, 0xffn, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n]) {
    expect(encodeRlp(edge)).toEqual(encode(bigIntToUnpaddedBytes(edge)))
  }
})

test('given any item, then its length and a type before it are right, and what is shared is the same', () => {
  fc.assert(
    fc.property(item, fc.integer({ min: 0, max: 0x7f }), (given, type) => {
      const encoded = encode(given as never)
      expect(rlpLength(given)).toBe(encoded.length)
      expect(encodeRlp(given, type)).toEqual(Uint8Array.of(type, ...encoded))
      expect(Uint8Array.from(encodeRlpForNow(given))).toEqual(Uint8Array.from(encoded))
    }),
  )
  const long = new Uint8Array(100_000).fill(7)
  expect(Uint8Array.from(encodeRlpForNow([long]))).toEqual(encode([long]))
})

test.each(['0x1', '0xzz', '12', `0x${'00'.repeat(150)}zz`])(
  'given %j, which is no hex, then it is refused',
  (text) => {
    expect(() => encodeRlp([text as Hex])).toThrow(RangeError)
  },
)

test.each([0, 1, 0x7f, 0x80, 0xff])('given the single byte %d, likewise', (byte) => {
  expect(encodeRlp(Uint8Array.of(byte))).toEqual(encode(Uint8Array.of(byte)))
})
