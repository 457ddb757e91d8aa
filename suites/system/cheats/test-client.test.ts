import { pad, parseEther, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { userKeys } from '#fixtures/chain/dev-keys'
import { type CheatNode, startCheatNode } from './cheat-node.ts'

const someone = `0x${'5a'.repeat(20)}` as const
const contract = `0x${'c0'.repeat(20)}` as const
const alice = userKeys[0]!.address
const bob = userKeys[1]!.address
/** Returns what is in slot 0. */
const READ_SLOT_0 = '0x5f545f5260205ff3'

// Expected are the answers that viem's documentation and Foundry give for each action.
describe.each(['anvil', 'hardhat'] as const)('viem test client in mode %s', (mode) => {
  let node: CheatNode
  let tools: ReturnType<CheatNode['test']>
  beforeEach(async () => {
    node = await startCheatNode({ manual: true })
    tools = node.test(mode)
  })
  afterEach(() => node.stop())
  const send = (fields: object) =>
    node.wallet.sendTransaction({ account: alice, to: bob, value: 1n, ...fields } as never)
  const latest = () => node.client.getBlock()

  test('given setBalance, setCode, setNonce and setStorageAt, then they are seen at latest and at pending', async () => {
    await tools.setBalance({ address: someone, value: parseEther('3') })
    await tools.setCode({ address: contract, bytecode: READ_SLOT_0 })
    await tools.setNonce({ address: someone, nonce: 420 })
    await tools.setStorageAt({ address: contract, index: 0, value: pad(toHex(77)) })
    for (const blockTag of ['latest', 'pending'] as const) {
      const at = { address: someone, blockTag }
      expect(await node.client.getBalance(at)).toBe(parseEther('3'))
      expect(await node.client.getTransactionCount(at)).toBe(420)
      expect(await node.client.getCode({ address: contract, blockTag })).toBe(READ_SLOT_0)
      const { data } = await node.client.call({ to: contract, blockTag })
      expect(data).toBe(pad(toHex(77)))
    }
    expect(await node.client.getBlockNumber()).toBe(0n)
    await tools.mine({ blocks: 2 })
    expect(await node.client.getBalance({ address: someone })).toBe(parseEther('3'))
    expect(await node.client.getStorageAt({ address: contract, slot: '0x0' })).toBe(pad(toHex(77)))
    // Genesis was the newest block then: anvil too shows the change there.
    expect(await node.client.getBalance({ address: someone, blockTag: 'earliest' })).toBe(
      parseEther('3'),
    )
  })

  test('given code and texts whose hash would keep flashblocks waiting, then they are refused in words', async () => {
    const long = `0x${'00'.repeat(131_073)}` as const
    const refusal = (name: string) => ({
      rpcCode: -32602,
      data: `${name}: has 131073 bytes, the limit is 131072`,
    })
    const { request } = httpRpcClient(node.url)
    const coded = request(`${mode}_setCode`, [contract, long])
    await expect(coded).rejects.toMatchObject(refusal('code'))
    await expect(request('eth_sign', [alice, long])).rejects.toMatchObject(refusal('data'))
  })

  test('given impersonateAccount, then a contract sends; given stopImpersonatingAccount, then it no longer does', async () => {
    await tools.setCode({ address: contract, bytecode: READ_SLOT_0 })
    await tools.setBalance({ address: contract, value: parseEther('1') })
    await tools.impersonateAccount({ address: contract })
    const hash = await send({ account: contract, to: someone, value: 5n })
    await tools.mine({ blocks: 1 })
    const transaction = await node.client.getTransaction({ hash })
    expect(transaction).toMatchObject({ from: contract, nonce: 0, blockNumber: 1n })
    const receipt = await node.client.getTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ from: contract, status: 'success', transactionHash: hash })
    expect(await node.client.getBalance({ address: someone })).toBe(5n)
    await tools.stopImpersonatingAccount({ address: contract })
    await expect(send({ account: contract })).rejects.toThrow('No Signer available')
  })

  test('given sendUnsignedTransaction, then it sends in the name of anybody', async () => {
    await tools.setBalance({ address: someone, value: parseEther('1') })
    const hash = await tools.sendUnsignedTransaction({ from: someone, to: bob, value: 7n })
    await tools.mine({ blocks: 1 })
    const { from, status } = await node.client.getTransactionReceipt({ hash })
    expect({ from, status }).toEqual({ from: someone, status: 'success' })
  })

  test('given mine, then it makes blocks, with the interval between them', async () => {
    const before = await latest()
    await tools.mine({ blocks: 3 })
    expect((await latest()).number).toBe(before.number + 3n)
    expect((await latest()).timestamp).toBe(before.timestamp + 6n)
    await tools.mine({ blocks: 2, interval: 60 })
    expect((await latest()).timestamp).toBe(before.timestamp + 126n)
    await tools.mine({ blocks: 1 })
    expect((await latest()).timestamp).toBe(before.timestamp + 128n)
  })

  test('given increaseTime and setNextBlockTimestamp, then they move the next block', async () => {
    const before = await latest()
    await tools.increaseTime({ seconds: 420 })
    expect((await latest()).number).toBe(before.number)
    expect((await node.client.getBlock({ blockTag: 'pending' })).timestamp).toBe(
      before.timestamp + 422n,
    )
    await tools.mine({ blocks: 1 })
    expect((await latest()).timestamp).toBe(before.timestamp + 422n)
    const timestamp = before.timestamp + 86_400n
    await tools.setNextBlockTimestamp({ timestamp })
    // Far beyond what L1 allows a sequencer to run ahead: users go on.
    const hash = await send({})
    await tools.mine({ blocks: 1 })
    expect((await latest()).timestamp).toBe(timestamp)
    expect((await node.client.getTransactionReceipt({ hash })).blockNumber).toBe(2n)
    await expect(tools.setNextBlockTimestamp({ timestamp })).rejects.toThrow()
  })

  test('given setNextBlockBaseFeePerGas and setBlockGasLimit, then they hold for the next block', async () => {
    await tools.setNextBlockBaseFeePerGas({ baseFeePerGas: 12_345_678_901n })
    await tools.setBlockGasLimit({ gasLimit: 42_000_000n })
    const hash = await send({ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 9n })
    await tools.mine({ blocks: 1 })
    expect(await latest()).toMatchObject({ baseFeePerGas: 12_345_678_901n, gasLimit: 42_000_000n })
    const { effectiveGasPrice } = await node.client.getTransactionReceipt({ hash })
    expect(effectiveGasPrice).toBe(12_345_678_910n)
    await tools.mine({ blocks: 1 })
    // EIP-1559 from there, with the devnet's denominator of 50: nearly empty, 1/50 less.
    const { baseFeePerGas, gasLimit } = await latest()
    expect(Number(baseFeePerGas) / 12_345_678_901).toBeCloseTo(49 / 50, 2)
    expect(gasLimit).toBe(42_000_000n)
  })

  test('given setCoinbase, then it names who gets the tips', async () => {
    await tools.setCoinbase({ address: someone })
    await send({ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 9n })
    await tools.mine({ blocks: 1 })
    expect((await latest()).miner).toBe(someone)
    expect(await node.client.getBalance({ address: someone })).toBe(21_000n * 9n)
  })

  test('given snapshot and revert, then they go back and forth, each snapshot once', async () => {
    await tools.setBalance({ address: someone, value: 1n })
    const id = await tools.snapshot()
    const hash = await send({ to: someone, value: 5n })
    await tools.mine({ blocks: 2 })
    await tools.setBalance({ address: contract, value: 9n })
    expect(await node.client.getBalance({ address: someone })).toBe(6n)
    await tools.revert({ id })
    for (const blockTag of ['latest', 'pending'] as const) {
      expect(await node.client.getBalance({ address: someone, blockTag })).toBe(1n)
      expect(await node.client.getBalance({ address: contract, blockTag })).toBe(0n)
    }
    expect(await node.client.getBlockNumber()).toBe(0n)
    await expect(node.client.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    const again = await tools.request({ method: 'evm_revert', params: [id] })
    expect(again).toBe(false)
  })

  test('given getTxpoolStatus, getTxpoolContent, inspectTxpool and dropTransaction, then they know the pool', async () => {
    const hash = await send({ gas: 21_000n, maxFeePerGas: 3_000_000_000n })
    await send({ nonce: 9, gas: 21_000n })
    expect(await tools.getTxpoolStatus()).toEqual({ pending: 1, queued: 1 })
    const { pending, queued } = await tools.getTxpoolContent()
    expect(pending[alice]![0]).toMatchObject({ hash, from: alice })
    expect(Object.keys(queued[alice]!)).toEqual(['9'])
    const inspected = await tools.inspectTxpool()
    expect(inspected.pending[alice]![0]).toBe(`${bob}: 1 wei + 21000 gas × 3000000000 wei`)
    await tools.dropTransaction({ hash })
    expect(await tools.getTxpoolStatus()).toEqual({ pending: 0, queued: 1 })
    await tools.mine({ blocks: 1 })
    await expect(node.client.getTransaction({ hash })).rejects.toThrow('could not be found')
  })

  test('given setAutomine, then every transaction is sealed at once; given setIntervalMining, then that ends', async () => {
    expect(await tools.getAutomine()).toBe(false)
    await tools.setAutomine(true)
    expect(await tools.getAutomine()).toBe(true)
    const hashes = [await send({}), await send({})]
    const receipts = await Promise.all(
      hashes.map((hash) => node.client.waitForTransactionReceipt({ hash })),
    )
    await node.test('anvil').mine({ blocks: 1 })
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success'])
    const { transactions } = await node.client.getBlock({ blockNumber: 2n })
    expect(transactions.at(-1)).toBe(hashes[1])
    await tools.setIntervalMining({ interval: 0 })
    expect(await tools.getAutomine()).toBe(false)
    await tools.setAutomine(true)
    await tools.setAutomine(false)
    expect(await tools.getAutomine()).toBe(false)
  })

  test.each([
    ['reset to a fork', () => tools.reset({ jsonRpcUrl: 'http://node' }), 'become a fork'],
    ['setMinGasPrice', () => tools.setMinGasPrice({ gasPrice: 1n }), 'EIP-1559'],
  ])('given %s, then it is refused with what to do instead', async (_, call, words) => {
    const error: Error = await call().then(
      () => new Error('done'),
      (cause) => cause,
    )
    expect(JSON.stringify(error, ['data', 'cause', 'details', 'message'])).toContain(words)
  })

  test('given setLoggingEnabled, then it is taken', async () => {
    await tools.setLoggingEnabled(false)
  })
})

describe('what only anvil has', () => {
  let node: CheatNode
  beforeEach(async () => {
    node = await startCheatNode({ manual: true })
  })
  afterEach(() => node.stop())

  test('given setBlockTimestampInterval, then blocks are so far apart until it is removed', async () => {
    const tools = node.test('anvil')
    const { timestamp } = await node.client.getBlock()
    await tools.setBlockTimestampInterval({ interval: 5 })
    await tools.mine({ blocks: 2 })
    expect((await node.client.getBlock()).timestamp).toBe(timestamp + 10n)
    await tools.removeBlockTimestampInterval()
    await tools.mine({ blocks: 1 })
    expect((await node.client.getBlock()).timestamp).toBe(timestamp + 12n)
  })

  test('given setRpcUrl, then it is refused with what to do instead', async () => {
    await expect(node.test('anvil').setRpcUrl('http://localhost')).rejects.toMatchObject({
      code: -32004,
      details: expect.stringContaining('not supported'),
    })
  })
})
