import { describe, expect, test } from 'vitest'
import { answerFrom, indexLogs } from './log-index.ts'

const A = `0x${'aa'.repeat(20)}`
const B = `0x${'bb'.repeat(20)}`
const topic = (digit: number) => `0x${String(digit).repeat(64)}`
const hashOf = (number: number) => `0x${String(number).repeat(64)}`

/** Blocks 5 and 6; the second has two logs. */
const index = indexLogs(
  [
    { number: 5, logs: [{ address: A, topics: [topic(1), topic(2)] }] },
    {
      number: 6,
      logs: [
        { address: B, topics: [topic(1)] },
        { address: A, topics: [] },
      ],
    },
  ].map(({ number, logs }) => ({
    block: { number: `0x${number}`, hash: hashOf(number), timestamp: '0x1' },
    receipts: [
      {
        transactionHash: '0x',
        transactionIndex: '0x0',
        logs: logs.map((log, at) => ({ ...log, data: '0x', logIndex: `0x${at}` })),
      },
    ],
  })),
)
const RANGE = { fromBlock: '0x5', toBlock: '0x6' }
const found = (filter: object) =>
  answerFrom(index, { ...RANGE, ...filter })?.map(
    ({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`,
  )

describe('given an index of blocks 5 and 6', () => {
  test.each([
    ['no criteria', {}, ['0x5/0x0', '0x6/0x0', '0x6/0x1']],
    ['one block', { toBlock: '0x5' }, ['0x5/0x0']],
    ['the hash of a block', { blockHash: hashOf(6) }, ['0x6/0x0', '0x6/0x1']],
    [
      'an address in upper case',
      { address: A.toUpperCase().replace('X', 'x') },
      ['0x5/0x0', '0x6/0x1'],
    ],
    ['several addresses', { address: [A, B] }, ['0x5/0x0', '0x6/0x0', '0x6/0x1']],
    ['a topic', { topics: [topic(1)] }, ['0x5/0x0', '0x6/0x0']],
    ['a later topic', { topics: [null, topic(2)] }, ['0x5/0x0']],
    ['either of two topics', { topics: [[topic(3), topic(1)]] }, ['0x5/0x0', '0x6/0x0']],
    ['both an address and a topic', { address: A, topics: [topic(1)] }, ['0x5/0x0']],
  ])('when a filter asks for %s, then these are found', (_, filter, logs) => {
    expect(found(filter)).toEqual(logs)
  })

  test.each([
    ['a tag', { toBlock: 'latest' }],
    ['a block outside', { toBlock: '0x7' }],
    ['another hash', { blockHash: hashOf(7) }],
    ['an empty list of topics', { topics: [[]] }],
    ['null as the last topic', { topics: [topic(1), null] }],
  ])('when a filter asks for %s, then nothing is said', (_, filter) => {
    expect(found(filter)).toBe(undefined)
  })
})
