import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { l1Receipts, l1Transactions } from '#devnet/l1/l1-lists'
import { rawHeader } from '#devnet/l1/raw-header'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import { l1ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Hash } from '#protocol/types/bytes'

/** Emits LOG1 of 32 bytes with the topic 7, and leaves no code. */
const LOGGING_INIT_CODE = '0x600760206000a100'

let node: L1
let l1: RpcClient
let block: { hash: Hash; transactionsRoot: Hash; receiptsRoot: Hash; transactions: Hash[] }

/** One L1 block with a transaction of every type that anvil takes without a blob. */
beforeAll(async () => {
  node = await startL1({ clock: new VirtualClock(), genesisTime: 1_700_000_000, blockTime: 0 })
  l1 = httpRpcClient(node.rpcUrl)
  const account = privateKeyToAccount(userKeys[0]!.privateKey)
  const chain = { ...foundry, id: l1ChainId }
  const wallet = createWalletClient({ account, chain, transport: http(node.rpcUrl) })
  const to = account.address
  const gas = 100_000n
  const gasPrice = 2_000_000_000n
  const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: 1n }
  const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}` as const] }]
  const authorization = await wallet.signAuthorization({ contractAddress: to, nonce: 5 })

  await wallet.sendTransaction({ type: 'legacy', to, gas, gasPrice, nonce: 0, value: 1n })
  await wallet.sendTransaction({ type: 'eip2930', to, gas, gasPrice, nonce: 1, accessList })
  await wallet.sendTransaction({ type: 'eip1559', to, gas, ...fees, nonce: 2, data: '0x0012' })
  await wallet.sendTransaction({ ...fees, gas, nonce: 3, data: LOGGING_INIT_CODE })
  await wallet.sendTransaction({
    ...fees,
    to,
    gas,
    nonce: 4,
    authorizationList: [authorization],
  })
  await node.mine()
  block = (await l1.request('eth_getBlockByNumber', ['latest', false])) as typeof block
})

afterAll(() => node.stop())

describe('L1 as a witness needs it, from a node without debug methods (anvil)', () => {
  it('given a block, when its header is put together, then it has the hash', async () => {
    expect(keccak256Hex(await rawHeader(l1, block.hash))).toBe(block.hash)
  })

  it('given transactions of types 0, 1, 2 and 4, when encoded again, then they have the root', async () => {
    const transactions = await l1Transactions(l1, block.hash)
    expect(transactions.map(keccak256Hex)).toEqual(block.transactions)
    expect(transactions.map(([type]) => (type! >= 0xc0 ? 0 : type))).toEqual([0, 1, 2, 2, 4])
    expect(orderedTrieRoot(transactions)).toBe(block.transactionsRoot)
  })

  it('given receipts, one with a log, when encoded again, then they have the root', async () => {
    const receipts = await l1Receipts(l1, block.hash)
    expect(receipts).toHaveLength(5)
    expect(orderedTrieRoot(receipts)).toBe(block.receiptsRoot)
  })

  it('given a hash of no block, when anything of it is asked for, then BLOCK_UNAVAILABLE', async () => {
    const hash = `0x${'ab'.repeat(32)}` as const
    for (const ask of [rawHeader, l1Transactions, l1Receipts]) {
      await expect(ask(l1, hash)).rejects.toMatchObject({ code: 'BLOCK_UNAVAILABLE' })
    }
  })

  it('given a node that answers with another block, when its header is read, then it is refused', async () => {
    const liar: RpcClient = {
      request: (method) =>
        l1.request(method, method === 'debug_getRawHeader' ? [] : [block.hash, false]),
    }
    await expect(rawHeader(liar, `0x${'ab'.repeat(32)}`)).rejects.toMatchObject({
      code: 'BLOCK_UNAVAILABLE',
    })
  })
})
