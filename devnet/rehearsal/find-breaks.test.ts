import { describe, expect, test } from 'vitest'
import { findBreaks } from './find-breaks.ts'

const call = (method: string, ...params: unknown[]) => ({ at: 0, method, params })
const repeated = (gap: number, count: number, method: string, ...params: unknown[]) =>
  Array.from({ length: count }, (_, index) => ({ at: index * gap, method, params }))

// Base's guide "Migrate from Flashblocks", row by row.
test.each([
  [call('eth_subscribe', 'newFlashblocks'), 'newHeads'],
  [call('eth_subscribe', 'pendingLogs', {}), 'logs'],
  [call('eth_subscribe', 'newFlashblockTransactions'), "newHeads, then the block's transactions"],
  [call('eth_getBlockByNumber', 'pending', false), 'latest'],
  [call('eth_getBalance', '0x01', 'pending'), 'latest'],
  [call('eth_call', { to: '0x01' }, 'Pending'), 'latest'],
  [call('eth_estimateGas', {}, 'pending'), 'latest'],
  [call('eth_simulateV1', { blockStateCalls: [] }, 'pending'), 'latest'],
  [call('eth_getBlockTransactionCountByNumber', 'pending'), 'latest'],
  [
    call('eth_getLogs', { fromBlock: '0x1', toBlock: 'pending' }),
    'a range of blocks, or the subscription logs',
  ],
  [call('eth_sendRawTransactionSync', '0x'), 'eth_sendRawTransaction, then the receipt'],
])('given %j, then it breaks, and its replacement is named', (one, instead) => {
  expect(findBreaks([one, one])).toMatchObject([{ kind: 'breaks', count: 2, instead }])
})

test('given the nonce at pending, then it is to be looked at, for it still counts the pool', () => {
  const found = findBreaks([call('eth_getTransactionCount', '0x01', 'pending')])
  expect(found).toMatchObject([{ kind: 'look', what: 'eth_getTransactionCount at pending' }])
})

describe('given somebody who asks for the newest block over and over', () => {
  test.each([
    ['eth_blockNumber', []],
    ['eth_getBlockByNumber', ['latest', true]],
    ['eth_getFilterChanges', ['0x1']],
  ])('when %s is asked every second, then five blocks come between two looks', (method, params) => {
    expect(findBreaks(repeated(1_000, 6, method, ...params))).toMatchObject([
      { kind: 'look', count: 6, why: expect.stringContaining('5 blocks come between two looks') },
    ])
  })

  test('when the look comes as often as blocks, or seldom altogether, then nothing is said', () => {
    expect(findBreaks(repeated(200, 50, 'eth_blockNumber'))).toEqual([])
    expect(findBreaks(repeated(5_000, 3, 'eth_blockNumber'))).toEqual([])
    expect(findBreaks(repeated(1_000, 9, 'eth_getBlockByNumber', '0x5', true))).toEqual([])
  })
})

test('given logs of 2,000 blocks, then 67 minutes have become 400 s', () => {
  const range = call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x7d0' })
  expect(
    findBreaks([range, call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x2' })]),
  ).toMatchObject([{ kind: 'look', count: 1, why: 'That was 67 min, and is 6.7 min.' }])
})

test('given calls that mean the same on both sides of Denim, then nothing is said', () => {
  const calls = [
    call('eth_subscribe', 'newHeads'),
    call('eth_subscribe', 'logs', {}),
    call('eth_getBlockByNumber', 'latest', false),
    call('eth_call', { to: '0x01', data: '0x' }, 'latest'),
    call('eth_sendRawTransaction', '0x02'),
    call('eth_getTransactionReceipt', `0x${'11'.repeat(32)}`),
    { at: 0, method: 'eth_call', params: null },
  ]
  expect(findBreaks(calls)).toEqual([])
})

test('given what breaks and what is to be looked at, then what breaks comes first, the most frequent on top', () => {
  const calls = [
    ...repeated(1_000, 9, 'eth_blockNumber'),
    call('eth_getBalance', '0x01', 'pending'),
    ...repeated(0, 3, 'eth_subscribe', 'pendingLogs'),
  ]
  expect(findBreaks(calls).map(({ what }) => what)).toEqual([
    'subscription pendingLogs',
    'eth_getBalance at pending',
    'eth_blockNumber, asked every 1000 ms',
  ])
})
