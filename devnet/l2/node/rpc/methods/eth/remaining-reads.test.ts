import { keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import type { NodeRpc } from '../../node-rpc.ts'
import { STORAGE } from '../../testing/contracts.ts'
import {
  alice,
  bob,
  CONFIG,
  createTestNode,
  errorOf,
  type TestNode,
  word,
} from '../../testing/test-node.ts'
import { ethCapabilities } from './eth-capabilities.ts'
import { ethConfig } from './eth-config.ts'

let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
  await node.chain.mine()
})

test.each([
  ['eth_blobBaseFee', [], '0x1'],
  ['eth_protocolVersion', [], '0x44'],
  ['net_listening', [], true],
  ['net_peerCount', [], '0x0'],
  ['web3_sha3', ['0x68656c6c6f'], keccak256('0x68656c6c6f')],
  ['eth_getUncleCountByBlockNumber', ['0x1'], '0x0'],
  ['eth_getUncleCountByBlockNumber', ['0x63'], null],
  ['eth_getUncleCountByBlockHash', [word(1)], null],
  ['eth_getUncleByBlockNumberAndIndex', ['latest', '0x0'], null],
  ['eth_getUncleByBlockHashAndIndex', [word(1), '0x0'], null],
  ['eth_getRawTransactionByHash', [word(1)], null],
])('given %s of %j, then it is %j', async (method, params, expected) => {
  expect(await node.rpc(method, ...params)).toEqual(expected)
})

test('given a chain without cheats, then eth_baseFee is the base fee of the block to come', async () => {
  const { chain, rpc } = await createTestNode()
  const baseFee = await rpc('eth_baseFee')
  await chain.mine()
  expect(BigInt(baseFee)).toBe(chain.latest().header.baseFeePerGas)
})

test('given the genesis of Ethereum, then the fork id of eth_config is that of EIP-2124', () => {
  const hash = '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3'
  const block = { ...node.chain.latest(), hash } as const
  const chain = Object.assign(Object.create(node.chain), {
    latest: () => block,
    blockByNumber: () => block,
  })
  const { signal } = new AbortController()
  expect(ethConfig({ chain, config: CONFIG } as NodeRpc, [], { signal })).toMatchObject({
    current: { forkId: '0xfc64ec04', blobSchedule: null },
    next: null,
    last: null,
  })
})

test('given states that were dropped, then eth_capabilities tells the oldest that is left', async () => {
  const { chain } = await createTestNode()
  while (chain.latest().header.number < 9n) await chain.mine()
  const ask = () => ethCapabilities({ chain } as unknown as NodeRpc, [], {} as RpcContext)
  expect(ask()).toMatchObject({ state: { oldestBlock: '0x0' }, head: { number: '0x9' } })
  chain.forgetStatesBelow(6n)
  expect(ask()).toMatchObject({ state: { oldestBlock: '0x6' }, logs: { oldestBlock: '0x0' } })
})

test('given transactions in the pool, then txpool_* tells them without cheats', async () => {
  const { chain, rpc, sign } = await createTestNode()
  const { hash } = await chain.addToPool(await sign({ to: alice, value: 1n }))
  expect(await rpc('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  expect(await rpc('txpool_content')).toMatchObject({ pending: { [alice]: { 0: { hash } } } })
  expect(await rpc('txpool_contentFrom', alice)).toMatchObject({ pending: { 0: { hash } } })
  expect(await rpc('txpool_contentFrom', bob)).toEqual({ pending: {}, queued: {} })
  expect(await rpc('txpool_inspect')).toMatchObject({
    pending: { [alice]: { 0: `${alice}: 1 wei + 500000 gas × 5000000000 wei` } },
  })
})

test('given slots of two accounts, then eth_getStorageValues has the values of each', async () => {
  const { chain, rpc, sign } = await createTestNode()
  await chain.mine(await sign({ to: STORAGE, data: `${word(1)}${word(11).slice(2)}` }))
  const asked = { [STORAGE]: ['0x1', '0x2'], [alice]: ['0x1'] }
  expect(await rpc('eth_getStorageValues', asked)).toEqual({
    [STORAGE]: [word(11), word(0)],
    [alice]: [word(0)],
  })
  expect(await rpc('eth_getStorageValues', asked, 'earliest')).toMatchObject({
    [STORAGE]: [word(0), word(0)],
  })
  expect(await errorOf(rpc('eth_getStorageValues', {}))).toMatchObject({
    code: -32602,
    message: 'empty request',
  })
})

test.each([
  ['web3_sha3', ['hello']],
  ['web3_sha3', []],
  ['eth_getUncleCountByBlockHash', ['0x1']],
  ['eth_getUncleByBlockNumberAndIndex', ['0x1', 'first']],
  ['base_transactionStatus', ['0x1']],
])('given %s of %j, then it is -32602', async (method, params) => {
  expect(await errorOf(node.rpc(method, ...params))).toMatchObject({ code: -32602 })
})
