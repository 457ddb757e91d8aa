import { expect, test } from 'vitest'
import { encodeBaseTime } from '#protocol/derivation/base-time'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block, Log, Receipt } from '#protocol/types/block'
import { LOGGER } from '../testing/contracts.ts'
import { createTestNode, word } from '../testing/test-node.ts'
import { logJson, logWriter } from './log-json.ts'

test.each([0, 1, 2, 3, 4])(
  'given a log with %i topics, then its text is that of the object, letter for letter',
  async (topics) => {
    const node = await createTestNode()
    const mined = await node.chain.mine(await node.sign({ to: LOGGER, data: '0x' }))
    const log: Log = {
      address: LOGGER,
      topics: Array.from({ length: topics }, (_, index) => word(index)),
      data: Uint8Array.of(...Array(topics).keys()),
    }
    const receipt: Receipt = { ...mined.receipts[0]!, logs: [log] }
    const block: Block = { ...mined, receipts: [receipt] }
    const placed = { log, transactionIndex: 0, logIndex: 17 }
    expect(logWriter(block)(placed)).toBe(JSON.stringify(logJson(block, placed)))
  },
)

// base/docs, denim/200ms-blocks: 42 s and a part of 200 are 0xa4d8.
test('given a log of a block of 200 ms, then its text and its object have the milliseconds, and it keeps them when it is removed', async () => {
  const node = await createTestNode()
  const mined = await node.chain.mine(await node.sign({ to: LOGGER, data: '0x' }))
  const log: Log = { address: LOGGER, topics: [], data: new Uint8Array(0) }
  const second = decodeTransaction(encodeBaseTime(9n, 42_200n))
  const block: Block = {
    ...mined,
    header: { ...mined.header, timestamp: 42n },
    transactions: [mined.transactions[0]!, second],
    receipts: [{ ...mined.receipts[0]!, logs: [log] }, mined.receipts[0]!],
  }
  const placed = { log, transactionIndex: 0, logIndex: 0 }
  const times = { blockTimestamp: '0x2a', blockTimestampMs: '0xa4d8' }
  expect(logJson(block, placed)).toMatchObject({ ...times, removed: false })
  expect(logWriter(block)(placed)).toBe(JSON.stringify(logJson(block, placed)))
  expect(logJson(block, placed, true)).toMatchObject({ ...times, removed: true })
})
