import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  parseEther,
  RpcRequestError,
  webSocket,
} from 'viem'
import { chainConfig, publicActionsL2 } from 'viem/op-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNodeRpc } from '#devnet/l2/node/rpc/start-node-rpc'
import type { ChainByHand } from '#devnet/l2/node/rpc/testing/chain-by-hand'
import { ECHO, FORWARDER, LOGGER, REVERTER, STORAGE } from '#devnet/l2/node/rpc/testing/contracts'
import {
  ALICE,
  alice,
  bob,
  CONFIG,
  createTestNode,
  word,
} from '#devnet/l2/node/rpc/testing/test-node'
import { systemClock } from '#protocol/clock/system-clock'
import { encodeDeposit } from '#protocol/transaction/encode-deposit'

const chain = defineChain({
  ...chainConfig,
  id: Number(CONFIG.chainId),
  name: 'test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

let memory: ChainByHand
let stop: () => Promise<void>
let urls: { url: string; wsUrl: string }
beforeAll(async () => {
  const node = await createTestNode()
  memory = node.chain
  // As a sequencer that pre-confirms each at once.
  memory.submit = async (raw) => {
    const { hash } = await memory.addToPool(raw)
    await memory.flashblock(raw)
    return hash
  }
  const running = await startNodeRpc({ chain: memory, config: CONFIG, clock: systemClock, port: 0 })
  urls = running
  stop = running.stop
})
afterAll(() => stop())

/** Milliseconds: a busy machine may need more than viem's ten seconds. */
const timeout = 60_000
const connect = () =>
  createPublicClient({ chain, transport: http(urls.url, { batch: true, timeout }) }).extend(
    publicActionsL2(),
  )
const wallet = () =>
  createWalletClient({ account: ALICE, chain, transport: http(urls.url, { timeout }) })
const send = (to: Address, data: Hex = '0x', value = 0n) =>
  wallet().sendTransaction({ to, data, value })

describe('viem over HTTP', () => {
  test('given a sent transaction, then it has a receipt as soon as it is pre-confirmed, and keeps it', async () => {
    const client = connect()
    const hash = await send(LOGGER, `${word(1)}${word(2).slice(2)}` as Hex, 5n)
    const early = await client.getTransactionReceipt({ hash })
    expect(early).toMatchObject({ status: 'success', type: 'eip1559', blockHash: word(0) })
    expect(await client.getTransaction({ hash })).toMatchObject({
      blockHash: null,
      blockNumber: null,
      from: alice,
      value: 5n,
    })
    const pending = await client.getBlock({ blockTag: 'pending', includeTransactions: true })
    expect(pending.number).toBeNull()
    expect(pending.transactions.map((transaction) => transaction.hash)).toContain(hash)

    const sealed = await memory.seal()
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt).toStrictEqual({
      ...early,
      blockHash: sealed.hash,
      logs: early.logs.map((log) => ({ ...log, blockHash: sealed.hash })),
    })
    expect(await client.getTransaction({ hash })).toMatchObject({
      blockHash: sealed.hash,
      blockNumber: sealed.header.number,
      transactionIndex: 0,
    })
  })

  test('given a receipt, then it carries the L1 fee fields as viem knows them', async () => {
    const hash = await send(bob, '0x', 1n)
    const receipt = await connect().getTransactionReceipt({ hash })
    expect(receipt).toMatchObject({
      l1Fee: expect.any(BigInt),
      l1GasPrice: expect.any(BigInt),
      l1GasUsed: expect.any(BigInt),
    })
  })

  test('given a deposit, then it is one to viem', async () => {
    const { raw, hash } = depositOf(bob, parseEther('3'))
    await memory.seal()
    await memory.mine(raw)
    const client = connect()
    expect(await client.getTransaction({ hash })).toMatchObject({
      type: 'deposit',
      typeHex: '0x7e',
      mint: parseEther('3'),
      sourceHash: word(77),
      nonce: 0,
    })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      effectiveGasPrice: 0n,
    })
  })

  test('given accounts, code, storage and proofs, then each is read', async () => {
    const client = connect()
    await send(STORAGE, `${word(3)}${word(4).slice(2)}` as Hex)
    await memory.seal()
    expect(await client.getChainId()).toBe(chain.id)
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(memory.latest().header.number)
    expect(await client.getCode({ address: ECHO })).toBe('0x365f5f37365ff3')
    expect(await client.getCode({ address: bob })).toBeUndefined()
    expect(await client.getStorageAt({ address: STORAGE, slot: '0x3' })).toBe(word(4))
    const proof = await client.getProof({ address: STORAGE, storageKeys: [word(3)] })
    expect(proof.storageProof[0]).toMatchObject({ key: word(3), value: 4n })
    expect(await client.getTransactionCount({ address: alice })).toBeGreaterThan(0)
    expect(await client.getBalance({ address: bob })).toBeGreaterThan(0n)
  })

  test('given estimates, history and prices, then the fees are read', async () => {
    const client = connect()
    expect(await client.estimateGas({ account: alice, to: bob, value: 1n })).toBe(21_000n)
    const fees = await client.estimateFeesPerGas()
    const { baseFeePerGas } = await client.getBlock()
    expect(fees.maxFeePerGas).toBeGreaterThan(baseFeePerGas!)
    expect(await client.getGasPrice()).toBeGreaterThan(0n)
    const history = await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [0, 100] })
    expect(history.baseFeePerGas).toHaveLength(3)
    expect(history.reward).toHaveLength(2)
    // The base fee foretold for the next block is the one it gets.
    await memory.mine()
    expect((await client.getBlock()).baseFeePerGas).toBe(history.baseFeePerGas[2])
  })

  test('given calls and reverts, then each is read', async () => {
    const client = connect()
    expect(await client.call({ to: ECHO, data: '0x1234' })).toStrictEqual({ data: '0x1234' })
    expect(await client.call({ data: '0x1234', to: ECHO, blockTag: 'pending' })).toStrictEqual({
      data: '0x1234',
    })
    const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }]
    const failing = client.readContract({ abi, address: REVERTER, functionName: 'f' })
    await expect(failing).rejects.toThrow('reverted')
    const cause = await failing.catch((error) =>
      error.walk((e: unknown) => e instanceof RpcRequestError),
    )
    expect(cause).toMatchObject({ code: -32000 })
  })

  test('given a contract, then it is deployed at the address that viem foretells', async () => {
    const client = connect()
    const nonce = await client.getTransactionCount({ address: alice, blockTag: 'pending' })
    const hash = await wallet().deployContract({ abi: [], bytecode: '0x60fe5f5360015ff3' })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    const expected = getContractAddress({ from: alice, nonce: BigInt(nonce) }).toLowerCase()
    expect(contractAddress).toBe(expected)
    expect(await client.getCode({ address: contractAddress!, blockTag: 'pending' })).toBe('0xfe')
  })

  test('given simulateBlocks and simulateCalls, then they understand our simulations', async () => {
    const client = connect()
    const [first, second] = await client.simulateBlocks({
      traceTransfers: true,
      blocks: [
        {
          blockOverrides: { number: 100n },
          calls: [{ account: alice, to: FORWARDER, value: 9n, data: word(bob) }],
          stateOverrides: [{ address: alice, balance: parseEther('1') }],
        },
        { calls: [{ to: REVERTER, data: '0x1234' }] },
      ],
    })
    expect(first).toMatchObject({ number: 100n })
    expect(first!.calls[0]).toMatchObject({ status: 'success', data: '0x' })
    expect(first!.calls[0]!.logs).toHaveLength(2)
    expect(second!.calls[0]).toMatchObject({ status: 'failure' })
    const { results } = await client.simulateCalls({
      account: alice,
      calls: [{ to: bob, value: 7n }],
    })
    expect(results[0]).toMatchObject({ status: 'success', gasUsed: 21_000n })
  })

  test('given profile base, then calls without to serve what viem builds on them', async () => {
    const node = await createTestNode()
    const base = await startNodeRpc({
      chain: node.chain,
      config: CONFIG,
      clock: systemClock,
      port: 0,
      profile: 'base',
    })
    try {
      const client = createPublicClient({ chain, transport: http(base.url, { timeout }) })
      const calls = [{ to: bob, value: 7n }] as const
      const { assetChanges } = await client.simulateCalls({
        account: alice,
        traceAssetChanges: true,
        calls,
      })
      expect(assetChanges[0]!.value).toMatchObject({ diff: -7n })
    } finally {
      await base.stop()
    }
  })

  test('given getLogs, then it finds them, also in the pending block', async () => {
    const client = connect()
    await send(LOGGER, `${word(40)}${word(41).slice(2)}` as Hex)
    const range = { fromBlock: 'pending', toBlock: 'pending' } as const
    expect(await client.getLogs({ ...range, address: LOGGER })).toMatchObject([
      { topics: [word(40), word(41)], removed: false },
    ])
    const sealed = await memory.seal()
    expect(await client.getLogs({ blockHash: sealed.hash })).toMatchObject([
      { blockNumber: sealed.header.number, logIndex: 0 },
    ])
  })
})

describe('viem over WebSocket', () => {
  test('given pendingLogs, newHeads and the rest, then they arrive as they happen and stop on request', async () => {
    const client = createPublicClient({ chain, transport: webSocket(urls.wsUrl) })
    const received: Record<string, unknown[]> = {}
    const subscribe = async (...params: unknown[]) => {
      const seen: unknown[] = []
      received[String(params[0])] = seen
      return client.transport.subscribe({
        params: params as never,
        onData: (data) => seen.push(data.result),
      })
    }
    const pendingLogs = await subscribe('pendingLogs', { address: LOGGER, topics: [word(50)] })
    await subscribe('newHeads')
    await subscribe('logs', { address: LOGGER })
    await subscribe('newFlashblocks')
    await subscribe('newFlashblockTransactions')

    const hash = await send(LOGGER, `${word(50)}${word(51).slice(2)}` as Hex)
    await send(LOGGER, `${word(99)}${word(51).slice(2)}` as Hex)
    const sealed = await memory.seal()
    await client.getChainId()
    expect(received.pendingLogs).toMatchObject([
      { topics: [word(50), word(51)], transactionHash: hash, blockHash: word(0), removed: false },
    ])
    expect(received.newHeads).toMatchObject([{ hash: sealed.hash }])
    expect(received.logs).toMatchObject([{ blockHash: sealed.hash }, { blockHash: sealed.hash }])
    expect(received.newFlashblockTransactions![0]).toBe(hash)
    expect(received.newFlashblocks).toHaveLength(3)

    await pendingLogs.unsubscribe()
    await send(LOGGER, `${word(50)}${word(52).slice(2)}` as Hex)
    await client.getChainId()
    expect(received.pendingLogs).toHaveLength(1)
    const socket = await client.transport.getRpcClient()
    socket.close()
  })
})

/** A deposit to `to`, of BOB. */
function depositOf(to: Address, mint: bigint): { raw: Uint8Array; hash: Hex } {
  const raw = encodeDeposit({
    sourceHash: word(77),
    from: bob,
    to,
    mint,
    value: 0n,
    gas: 100_000n,
    isSystemTransaction: false,
    data: new Uint8Array(0),
  })
  return { raw, hash: keccak256(raw) }
}
