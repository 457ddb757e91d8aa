import { beforeAll, describe, expect, test } from 'vitest'
import { encodeBaseTime } from '#protocol/derivation/base-time'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block } from '#protocol/types/block'
import { profileValues } from '../profile-differences.ts'
import { bob, createTestNode, type TestNode } from '../testing/test-node.ts'
import { blockJson } from './block-json.ts'
import { blockText } from './block-text.ts'

const profile = profileValues('spec')
let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
})

async function blockOf(transfers: number): Promise<Block> {
  const raws: Uint8Array[] = []
  for (let value = 1; value <= transfers; value++) {
    raws.push(await node.sign({ to: bob, value: BigInt(value) }))
  }
  return node.chain.mine(...raws)
}

describe.each([false, true])('a block, full: %s', (isFull) => {
  const textOf = (block: Block) =>
    blockText(block, JSON.stringify(blockJson(block, isFull, profile).transactions).slice(1, -1))

  test.each([0, 1, 3])('given %i transactions, then it is the JSON of the block', async (count) => {
    const block = await blockOf(count)
    expect(block.transactions).toHaveLength(count)
    expect(textOf(block)).toBe(JSON.stringify(blockJson(block, isFull, profile)))
  })

  test('given a block that tells milliseconds, then its text does, too', async () => {
    const block = await blockOf(0)
    const { number, timestamp } = block.header
    const transaction = decodeTransaction(encodeBaseTime(number, timestamp * 1000n + 200n))
    const transactions = [transaction, transaction]
    const receipts = transactions.map(() => ({}) as Block['receipts'][0])
    const timed = { ...block, transactions, receipts }
    const text = textOf(timed)
    expect(text).toContain(`"timestampMs":"0x${(timestamp * 1000n + 200n).toString(16)}"`)
    expect(text).toBe(JSON.stringify(blockJson(timed, isFull, profile)))
  })
})
