import { keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'

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

test.each([
  ['web3_sha3', ['hello']],
  ['web3_sha3', []],
  ['eth_getUncleCountByBlockHash', ['0x1']],
  ['eth_getUncleByBlockNumberAndIndex', ['0x1', 'first']],
  ['base_transactionStatus', ['0x1']],
])('given %s of %j, then it is -32602', async (method, params) => {
  expect(await errorOf(node.rpc(method, ...params))).toMatchObject({ code: -32602 })
})
