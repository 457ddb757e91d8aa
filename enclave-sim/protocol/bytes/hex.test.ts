import * as reference from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../types/bytes.ts'
import { bigIntToBytes } from './big-int-to-bytes.ts'
import { bytesToHex } from './bytes-to-hex.ts'
import { hexToBytes } from './hex-to-bytes.ts'

const anyBytes = fc.uint8Array({ maxLength: 300 })

describe('hex', () => {
  test('given any bytes, then both ways give what the reference gives', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const hex = bytesToHex(bytes)
        expect(hex).toBe(reference.bytesToHex(bytes))
        expect(hexToBytes(hex)).toEqual(bytes)
        expect(hexToBytes(`0x${hex.slice(2).toUpperCase()}`)).toEqual(bytes)
      }),
    )
  })

  test('given part of a larger buffer, then only that part is told', () => {
    expect(bytesToHex(new Uint8Array(64).fill(7).subarray(1, 3))).toBe('0x0707')
  })

  test.each([
    ...['', '0', '12', '0x1', '0xg0', '0x0g', '0x\u0130\u0130'],
    ...[`0x${'00'.repeat(150)}zz`, `0x${'00'.repeat(150)}\u0130\u0130`],
  ])('given %j, which is no hex, then it is refused', (text) => {
    expect(() => hexToBytes(text as Hex)).toThrow(RangeError)
  })

  test('given long bytes, then they own their memory', () => {
    expect(hexToBytes(`0x${'ab'.repeat(500)}`).buffer.byteLength).toBe(500)
  })
})

test('given any number, then its bytes are those of the reference', () => {
  const numbers = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.bigInt(0n, 2n ** 60n))
  fc.assert(
    fc.property(numbers, (value) => {
      expect(bigIntToBytes(value)).toEqual(reference.bigIntToUnpaddedBytes(value))
    }),
  )
  for (const value of [0n, 1n, 255n, 256n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n]) {
    expect(bigIntToBytes(value)).toEqual(reference.bigIntToUnpaddedBytes(value))
  }
})
