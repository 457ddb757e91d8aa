import { hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBitlist, readBitlist } from './bitlist.ts'
import { byteReader } from './byte-reader.ts'

test('given bits, the first is the lowest bit of the last byte', () => {
  expect(encodeBitlist([true, false, true])).toEqual(hexToBytes('0x05'))
  expect(encodeBitlist([...Array(8).fill(false), true])).toEqual(hexToBytes('0x0100'))
  expect(encodeBitlist([])).toEqual(new Uint8Array(0))
})

test('given any bits, they are an integer of as many bits and read back', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 50 }), (bits) => {
      const integer = bits.reduce((sum, bit, i) => sum + (bit ? 1n << BigInt(i) : 0n), 0n)
      const hex = integer.toString(16).padStart(Math.ceil(bits.length / 8) * 2, '0')
      const bytes = bits.length ? hexToBytes(`0x${hex}`) : new Uint8Array(0)
      expect(encodeBitlist(bits)).toEqual(bytes)
      const at = readBitlist(byteReader(bytes), bits.length)
      expect(bits.map((_, i) => at(i))).toEqual(bits)
    }),
    { seed: 7 },
  )
})

test('given a bit in the padding, the list is refused', () => {
  expect(() => readBitlist(byteReader(hexToBytes('0x08')), 3)).toThrow(/too long/)
  expect(() => readBitlist(byteReader(hexToBytes('0x80')), 8)).not.toThrow()
})
