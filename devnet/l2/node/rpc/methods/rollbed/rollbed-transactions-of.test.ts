import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { LOGGER } from '../../testing/contracts.ts'
import {
  alice,
  BOB,
  bob,
  createTestNode,
  errorOf,
  type TestNode,
  word,
} from '../../testing/test-node.ts'

interface Page {
  transactions: { hash: Hex; blockNumber: Hex }[]
  before: Hex | null
}

const POOR: Hex = `0x${'99'.repeat(20)}`
const LOG: Hex = `0x${[1, 2, 3].map((number) => word(number).slice(2)).join('')}`

/** Block 1: ALICE creates, BOB logs. Block 2 to 41: ALICE pays BOB. Block 42: nothing. */
let node: TestNode
let created: Hex
beforeAll(async () => {
  node = await createTestNode()
  const creation = await node.sign({ data: '0x5f5ff3' })
  const { receipts } = await node.chain.mine(
    creation,
    await node.sign({ to: LOGGER, data: LOG }, BOB),
  )
  created = receipts[0]!.contractAddress!
  for (let number = 2; number <= 41; number++) {
    await node.chain.mine(await node.sign({ to: bob, value: 1n }))
  }
  await node.chain.seal()
})
const ask = (...params: unknown[]): Promise<Page> => node.rpc('rollbed_transactionsOf', ...params)
const blocksOf = ({ transactions }: Page) =>
  transactions.map(({ blockNumber }) => Number(blockNumber))

test('given a sender of many, then pages lead to the first block, newest first', async () => {
  const first = await ask(alice)
  expect(blocksOf(first)).toEqual(Array.from({ length: 25 }, (_, index) => 41 - index))
  expect(first.before).toBe('0x11')
  const second = await ask(alice, first.before)
  expect(blocksOf(second)).toEqual(Array.from({ length: 16 }, (_, index) => 16 - index))
  expect(second.before).toBeNull()
})

test('given an address that received, was created, or left a log, then it has those transactions', async () => {
  const { transactions } = (await node.rpc('eth_getBlockByNumber', '0x1', false)) as {
    transactions: Hex[]
  }
  const hashes = async (address: Hex) => (await ask(address)).transactions.map(({ hash }) => hash)
  expect(await hashes(created)).toEqual([transactions[0]])
  expect(await hashes(LOGGER)).toEqual([transactions[1]])
  expect(blocksOf(await ask(bob, '0x4'))).toEqual([3, 2, 1])
  expect(await ask(POOR)).toEqual({ transactions: [], before: null })
})

test('given a transaction, then it is told as eth_getTransactionByHash tells it', async () => {
  const { transactions } = await ask(created)
  const [found] = transactions
  expect(found).toStrictEqual(await node.rpc('eth_getTransactionByHash', found!.hash))
})

test('given no address, then all that somebody sent is there', async () => {
  const first = await ask(null)
  expect(blocksOf(first)[0]).toBe(41)
  const last = await ask(null, '0x3')
  expect(blocksOf(last)).toEqual([2, 1, 1])
  expect(last.before).toBeNull()
})

test('given a creation, then the contract is listed with who made it', async () => {
  const { hash } = (await ask(created)).transactions[0]!
  expect(await node.rpc('rollbed_contracts')).toEqual({
    contracts: [{ address: created, creator: alice, transactionHash: hash, blockNumber: '0x1' }],
    before: null,
  })
})

test.each([['0x12'], [7]])('given the address %s, then it is refused', async (address) => {
  expect(await errorOf(ask(address))).toMatchObject({ code: -32602 })
})
