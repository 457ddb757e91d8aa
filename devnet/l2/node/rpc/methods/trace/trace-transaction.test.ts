import { beforeAll, expect, test } from 'vitest'
import type { Block } from '#protocol/types/block'
import { FORWARDER, REVERTER, STORAGE } from '../../testing/contracts.ts'
import {
  alice,
  bob,
  createTestNode,
  errorOf,
  type TestNode,
  word,
} from '../../testing/test-node.ts'

let node: TestNode
let block: Block
beforeAll(async () => {
  node = await createTestNode()
  const { chain, sign } = node
  block = await chain.mine(
    await sign({ to: FORWARDER, data: word(bob), value: 5n }),
    await sign({ to: REVERTER, data: '0x' }),
  )
  await chain.flashblock(await sign({ to: STORAGE, data: word(1) }))
})

test('given a transaction that calls on, when traced, then both calls stand in a list with their place', async () => {
  const { hash } = block.transactions[0]!
  const traces = await node.rpc('trace_transaction', hash)
  const place = {
    blockHash: block.hash,
    blockNumber: 1,
    transactionHash: hash,
    transactionPosition: 0,
    type: 'call',
  }
  expect(traces).toMatchObject([
    {
      ...place,
      action: { from: alice, to: FORWARDER, callType: 'call', value: '0x5' },
      subtraces: 1,
      traceAddress: [],
    },
    {
      ...place,
      action: { from: FORWARDER, to: bob, callType: 'call', value: '0x5', input: '0x' },
      result: { gasUsed: '0x0', output: '0x' },
      subtraces: 0,
      traceAddress: [0],
    },
  ])
})

test('given a block, when traced, then its transactions follow each other', async () => {
  const traces = (await node.rpc('trace_block', '0x1')) as Record<string, unknown>[]
  expect(traces.map((each) => each.transactionPosition)).toEqual([0, 0, 1])
  expect(traces[2]).toMatchObject({ error: 'Reverted', action: { to: REVERTER } })
})

test('given what is pre-confirmed, when traced, then its block has no number yet', async () => {
  expect(await node.rpc('trace_block', 'pending')).toMatchObject([
    { blockHash: null, blockNumber: null, action: { to: STORAGE } },
  ])
})

test('given a hash that nobody knows, then it is null, and of a block an error', async () => {
  expect(await node.rpc('trace_transaction', word(9))).toBeNull()
  expect(await errorOf(node.rpc('trace_block', '0x63'))).toMatchObject({ code: -32001 })
})
