import { expect, test } from 'vitest'
import { JsonRpcError } from '../json-rpc-error.ts'
import { parseBoolean, parseFlag } from './parse-boolean.ts'
import { parseBytes, parsePooledBytes } from './parse-bytes.ts'
import { parseAddress, parseHash } from './parse-fixed-bytes.ts'
import { parseOptionalQuantity, parseQuantity } from './parse-quantity.ts'
import { parseRecord } from './parse-record.ts'
import { parseStorageWord } from './parse-storage-word.ts'
import { positional } from './positional.ts'

/** The `data` of the -32602 that the parser throws. */
function refusal(parse: (value: unknown, name: string) => unknown, value: unknown): unknown {
  try {
    parse(value, 'p')
  } catch (error) {
    if (error instanceof JsonRpcError && error.rpcCode === -32602) return error.data
    throw error
  }
  return 'accepted'
}

test('given a quantity, then zeros and letter case do not matter (OPEN-11)', () => {
  expect(parseQuantity('0x0', 'p')).toBe(0n)
  expect(parseQuantity('0x000aF', 'p')).toBe(175n)
  expect(parseQuantity(`0x${'0'.repeat(100)}1`, 'p')).toBe(1n)
  expect(parseQuantity(`0x${'f'.repeat(64)}`, 'p')).toBe(2n ** 256n - 1n)
  expect(parseOptionalQuantity(null, 'p')).toBeUndefined()
})

test.each([
  ['0x', 'p: 0x holds no digits, zero is 0x0'],
  ['16', 'p: "16" is not a 0x hex string'],
  [16, 'p: must be a 0x hex string, not a JSON number'],
  ['0xg', 'p: "0xg" is not a 0x hex string'],
  ['-0x1', 'p: "-0x1" is not a 0x hex string'],
  [undefined, 'p: missing'],
  [['0x1'], 'p: must be a 0x hex string, not a JSON array'],
  [`0x1${'0'.repeat(64)}`, 'p: has more than 256 bits'],
])('given the quantity %j, then it is refused (OPEN-11)', (value, data) => {
  expect(refusal(parseQuantity, value)).toBe(data)
})

test('given an address or a hash, then its length is exact and it comes out in lower case', () => {
  expect(parseAddress(`0x${'Ab'.repeat(20)}`, 'p')).toBe(`0x${'ab'.repeat(20)}`)
  expect(refusal(parseAddress, `0x${'ab'.repeat(19)}`)).toBe(
    'p: must be 20 bytes (40 hex digits), got 38 digits',
  )
  expect(refusal(parseHash, `0x${'ab'.repeat(33)}`)).toBe(
    'p: must be 32 bytes (64 hex digits), got 66 digits',
  )
})

test('given a position, then it takes 1 to 32 bytes (RPC-STOR-02, OPEN-37)', () => {
  expect(parseStorageWord('0x5', 'p')).toBe(`0x${'0'.repeat(63)}5`)
  expect(parseStorageWord(`0x${'0F'.repeat(32)}`, 'p')).toBe(`0x${'0f'.repeat(32)}`)
  expect(refusal(parseStorageWord, `0x${'00'.repeat(33)}`)).toBe(
    'p: must be at most 32 bytes, got 33',
  )
  expect(refusal(parseStorageWord, '0x')).toBe('p: 0x holds no digits, zero is 0x0')
})

test('given bytes, booleans, records and positional lists, then each is read or refused in words', () => {
  expect(parseBytes('0x', 'p')).toStrictEqual(new Uint8Array(0))
  expect(parseBytes('0x0AfF', 'p')).toStrictEqual(Uint8Array.of(10, 255))
  expect(refusal(parseBytes, '0xabc')).toBe('p: has half a byte at its end')
  expect(refusal(parseBoolean, 'true')).toBe('p: must be true or false, not a JSON string')
  expect(parseFlag(undefined, 'p')).toBe(false)
  expect(refusal(parseRecord, [])).toBe('p: must be an object, not a JSON array')
  expect(positional(undefined)).toStrictEqual([])
  expect(() => positional({ block: 'latest' })).toThrow('Invalid params')
})

test('given bytes that share memory, then each has its own part of it, and is read or refused as any', () => {
  const long = (digits: string) => parsePooledBytes(`0X${digits.repeat(100)}`, 'p')
  const [ones, twos] = [long('01'), long('02')]
  expect(ones).toStrictEqual(new Uint8Array(100).fill(1))
  expect(twos).toStrictEqual(new Uint8Array(100).fill(2))
  expect(parsePooledBytes('0x', 'p')).toStrictEqual(new Uint8Array(0))
  for (const wrong of ['0xabc', '0xzz', 7, undefined]) {
    expect(refusal(parsePooledBytes, wrong)).toBe(refusal(parseBytes, wrong))
    expect(refusal(parsePooledBytes, wrong)).not.toBe('accepted')
  }
})
