import { createPublicClient, http, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { l1ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import { l1Receipts, l1Transactions } from '../l1-lists.ts'
import { type L1, startL1 } from '../start-l1.ts'

/** Emits a log with the call's first word, and one, as its topics. */
const EMITTER_RUNTIME = '60015f355f5fa200'
const DEPLOY_EMITTER = `0x67${EMITTER_RUNTIME}5f5260086018f3` as const
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const

let l1: L1
let rpc: RpcClient
let nonce = 0
const account = privateKeyToAccount(userKeys[0]!.privateKey)

beforeAll(async () => {
  const clock = new VirtualClock()
  l1 = await startL1({ clock, genesisTime: clock.now() / 1000, blockTime: 0 })
  rpc = httpRpcClient(l1.rpcUrl)
})
afterAll(() => l1.stop())

async function send(to: `0x${string}` | undefined, data: `0x${string}`) {
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n, gas: 200_000n }
  const common = { chainId: l1ChainId, nonce: nonce++, data, type: 'eip1559' as const, ...fees }
  const raw = await account.signTransaction({ ...common, ...(to && { to }) })
  return (await rpc.request('eth_sendRawTransaction', [raw])) as `0x${string}`
}

async function mine(blocks: number) {
  await rpc.request('anvil_mine', [`0x${blocks.toString(16)}`])
}

/** A block with two calls of the emitter, in L1's own words while anvil remembers it. */
async function blockWithLogs(topics: readonly [number, number]) {
  const deployed = await send(undefined, DEPLOY_EMITTER)
  await mine(1)
  const receipt = Object(await rpc.request('eth_getTransactionReceipt', [deployed]))
  const emitter = receipt.contractAddress as `0x${string}`
  const hashes = [await send(emitter, word(topics[0])), await send(emitter, word(topics[1]))]
  await mine(1)
  const { number, hash } = Object(await rpc.request('eth_getBlockByNumber', ['latest', false]))
  const range = { fromBlock: number, toBlock: number }
  const reads: [string, unknown[]][] = [
    ['eth_getBlockByNumber', [number, true]],
    ['eth_getBlockByNumber', [number, false]],
    ['eth_getBlockByHash', [hash, true]],
    ['eth_getBlockByHash', [hash, false]],
    ['eth_getBlockReceipts', [number]],
    ['eth_getBlockReceipts', [hash]],
    ['eth_getBlockTransactionCountByNumber', [number]],
    ['eth_getBlockTransactionCountByHash', [hash]],
    ['eth_getTransactionByBlockNumberAndIndex', [number, '0x1']],
    ['eth_getTransactionByBlockHashAndIndex', [hash, '0x1']],
    ['eth_getTransactionByBlockHashAndIndex', [hash, '0x7']],
    ['eth_getTransactionByHash', [hashes[1]]],
    ['eth_getTransactionReceipt', [hashes[0]]],
    ['eth_getTransactionReceipt', [word(1)]],
    ['eth_getLogs', [{ blockHash: hash }]],
    ['eth_getLogs', [range]],
    ['eth_getLogs', [{ ...range, address: emitter }]],
    ['eth_getLogs', [{ ...range, address: account.address }]],
    ['eth_getLogs', [{ ...range, address: [emitter, account.address], topics: [] }]],
    ['eth_getLogs', [{ ...range, topics: [word(topics[1])] }]],
    ['eth_getLogs', [{ ...range, topics: [[word(topics[0]), word(9)]] }]],
    ['eth_getLogs', [{ ...range, topics: [null, word(1)] }]],
  ]
  const answers = async () =>
    Promise.all(reads.map(async ([method, params]) => await rpc.request(method, params)))
  return { number, hash, emitter, hashes, answers }
}

test('given a block that anvil has forgotten, then every read of it is answered as before', async () => {
  const { answers, hash, hashes } = await blockWithLogs([5, 6])
  const before = await answers()
  expect(JSON.stringify(before)).toContain(hashes[0])
  await mine(600)
  expect(await answers()).toEqual(before)
  // Derivation and proofs believe only what hashes to the roots in the header.
  const { transactionsRoot, receiptsRoot } = Object(before[0])
  expect(orderedTrieRoot(await l1Transactions(rpc, hash))).toBe(transactionsRoot)
  expect(orderedTrieRoot(await l1Receipts(rpc, hash))).toBe(receiptsRoot)
  const traced = rpc.request('debug_traceTransaction', [hashes[0]])
  await expect(traced).rejects.toMatchObject({ rpcCode: 4444 })
})

test('given logs of old and of new blocks, then a range over both has all, in order', async () => {
  const old = await blockWithLogs([1, 2])
  await mine(300)
  const young = await blockWithLogs([3, 4])
  const client = createPublicClient({ transport: http(l1.rpcUrl) })
  const logs = await client.getLogs({
    address: [old.emitter, young.emitter],
    fromBlock: BigInt(old.number),
    toBlock: 'latest',
  })
  expect(logs.map(({ topics }) => Number(topics[0]))).toEqual([1, 2, 3, 4])
})

test('given WebSocket, then old blocks are answered, and subscriptions pass through', async () => {
  const { number, hashes } = await blockWithLogs([7, 8])
  await mine(300)
  const transport = webSocket(l1.rpcUrl.replace('http', 'ws'))
  const client = createPublicClient({ transport })
  const block = await client.getBlock({ blockNumber: BigInt(number) })
  expect(block.transactions).toEqual(hashes)
  const next = new Promise<bigint>((resolve) => {
    const unwatch = client.watchBlocks({
      onBlock: (seen) => {
        unwatch()
        resolve(seen.number)
      },
    })
  })
  const newer = await client.getBlockNumber({ cacheTime: 0 })
  await mine(1)
  expect(await next).toBeGreaterThanOrEqual(newer)
  ;(await transport({}).value!.getSocket()).close()
})

test('given a batch with reads of old blocks and others, then answers come in order', async () => {
  const { number, hashes } = await blockWithLogs([1, 2])
  await mine(300)
  const calls = [
    ['eth_chainId', []],
    ['eth_getBlockTransactionCountByNumber', [number]],
    ['eth_nonsense', []],
    ['eth_getTransactionByHash', [hashes[0]]],
  ]
  const batch = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const response = await fetch(l1.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  const answers = (await response.json()) as Record<string, unknown>[]
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3])
  expect(answers[0]).toMatchObject({ result: '0x539' })
  expect(answers[1]).toMatchObject({ result: '0x2' })
  expect(answers[2]).toMatchObject({ error: { code: -32601 } })
  expect(answers[3]).toMatchObject({ result: { hash: hashes[0], blockNumber: number } })
})

test('given a reorganisation, then what L1 dropped is not recalled', async () => {
  const before = await rpc.request('evm_snapshot', [])
  const dropped = await blockWithLogs([1, 2])
  await mine(300)
  expect(await rpc.request('eth_getTransactionByHash', [dropped.hashes[0]])).not.toBeNull()
  await rpc.request('evm_revert', [before])
  nonce -= 3
  await mine(400)
  expect(await rpc.request('eth_getTransactionByHash', [dropped.hashes[0]])).toBeNull()
  expect(await rpc.request('eth_getBlockByHash', [dropped.hash, true])).toBeNull()
  const logs = await rpc.request('eth_getLogs', [{ fromBlock: '0x0', address: dropped.emitter }])
  expect(Object(logs)).not.toContainEqual(expect.objectContaining({ blockHash: dropped.hash }))
  const again = await blockWithLogs([5, 5])
  const early = await again.answers()
  await mine(300)
  expect(await again.answers()).toEqual(early)
})

test('given a listener, then it is told of each new head of L1, also of one by a reorganization, and of nothing else', async () => {
  let heard = 0
  const forget = l1.onBlock(() => {
    heard += 1
  })
  await l1.mine()
  await l1.idle()
  expect(heard).toBe(1)

  const snapshot = await rpc.request('evm_snapshot', [])
  await rpc.request('eth_getBlockByNumber', ['latest', false])
  expect(heard).toBe(1)

  await mine(3)
  expect(heard).toBe(2)
  await rpc.request('evm_revert', [snapshot])
  expect(heard).toBe(3)

  forget()
  await mine(1)
  expect(heard).toBe(3)
})
