import { expect, test } from 'vitest'

const long = () => Uint8Array.from({ length: 300_000 }, (_, at) => at)

test('given byte strings, then they are equal where each byte is', () => {
  const other = long()
  other[299_999]! ^= 1
  expect(long()).toEqual(long())
  expect({ in: [long()] }).toEqual({ in: [long()] })
  expect(long()).not.toEqual(other)
  expect(long()).not.toEqual(long().subarray(1))
  expect(Buffer.from(long())).not.toEqual(Buffer.from(other))
})

test('given other classes and no bytes, then they are compared as ever', () => {
  expect(Buffer.from([1])).not.toStrictEqual(Uint8Array.of(1))
  expect(Uint8Array.of(1)).not.toEqual([1])
  expect(Uint8Array.of(1)).not.toEqual(Uint16Array.of(1))
})
