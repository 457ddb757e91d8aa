import { expect, test } from 'vitest'
import { encodeBaseTime } from '#protocol/derivation/base-time'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block } from '#protocol/types/block'
import { toQuantity } from './hex.ts'
import { blockMillisecondsJson, placeMillisecondsJson } from './milliseconds-json.ts'

/** As much of a sealed block as is asked for. */
function sealed(number: bigint, timestampMs: bigint, second = encodeBaseTime(number, timestampMs)) {
  const transaction = decodeTransaction(second)
  const header = { number, timestamp: timestampMs / 1000n }
  return { hash: `0x${'11'.repeat(32)}`, header, transactions: [transaction, transaction] } as Block
}

// base/docs, denim/200ms-blocks; base/base, base_time.rs of the RPC.
test('given 42 s and a part of 200, then a block tells 0x2a and 0xa4d8, and so does what stands in it', () => {
  const block = sealed(7n, 42_200n)
  expect(toQuantity(block.header.timestamp)).toBe('0x2a')
  expect(blockMillisecondsJson(block)).toEqual({ timestampMs: '0xa4d8' })
  expect(placeMillisecondsJson(block)).toEqual({ blockTimestampMs: '0xa4d8' })
})

test('given block 9 at 42 s and a part of 600, then it tells 42600', () => {
  expect(Number(blockMillisecondsJson(sealed(9n, 42_600n)).timestampMs)).toBe(42_600)
})

test.each([
  [
    'that has one transaction',
    (block: Block) => ({ ...block, transactions: block.transactions.slice(1) }),
  ],
  ['that is being built', ({ hash: _, ...block }: Block) => block],
  [
    'whose second transaction sets no part of a second',
    (block: Block) => {
      const [first, second] = block.transactions as [
        Block['transactions'][0],
        Block['transactions'][0],
      ]
      const data = Uint8Array.from(second.data).fill(1, 35)
      return { ...block, transactions: [first, { ...second, data }] }
    },
  ],
])('given a block %s, then it tells none, and has no such member', (_, change) => {
  const block = change(sealed(9n, 42_600n)) as Block
  expect(blockMillisecondsJson(block)).toEqual({})
  expect(placeMillisecondsJson(block)).toEqual({})
})
