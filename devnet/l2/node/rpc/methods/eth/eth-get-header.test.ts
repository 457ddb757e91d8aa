import { expect, test } from 'vitest'
import { bob, createTestNode, errorOf } from '../../testing/test-node.ts'

test('given a sealed block, then its header is the block without what it holds, by number and by hash', async () => {
  const node = await createTestNode()
  await node.chain.mine(await node.sign({ to: bob, value: 1n }))
  const block = (await node.rpc('eth_getBlockByNumber', '0x1', false)) as Record<string, unknown>
  const { transactions, uncles, withdrawals, ...header } = block
  expect([transactions, uncles, withdrawals]).toEqual([expect.anything(), [], []])
  expect(await node.rpc('eth_getHeaderByNumber', '0x1')).toEqual(header)
  expect(await node.rpc('eth_getHeaderByNumber', 'latest')).toEqual(header)
  expect(await node.rpc('eth_getHeaderByHash', block.hash)).toEqual(header)
})

test('given a block that nobody has, then there is no header, and a wrong parameter is -32602', async () => {
  const node = await createTestNode()
  expect(await node.rpc('eth_getHeaderByNumber', '0x99')).toBeNull()
  expect(await node.rpc('eth_getHeaderByHash', `0x${'11'.repeat(32)}`)).toBeNull()
  expect(await errorOf(node.rpc('eth_getHeaderByHash', '0x11'))).toMatchObject({ code: -32602 })
  expect(await errorOf(node.rpc('eth_getHeaderByNumber', 'soon'))).toMatchObject({ code: -32602 })
})
