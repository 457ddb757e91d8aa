import { expect, test } from 'vitest'
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
