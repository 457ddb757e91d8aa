import {
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  getContract,
  getContractAddress,
  type Hash,
  type Hex,
  http,
  type PublicClient,
  parseEther,
  type Transport,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainConfig } from 'viem/op-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../../devnet/start-devnet.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'
import { loadContract } from '../../fixtures/contracts/load-contract.ts'
import { testTokenAbi } from '../../fixtures/contracts/TestToken.abi.ts'

// viem 2.57.0, unmodified: every action that ends in a method the node offers.
const SUPPLY = 1_000_000_000n
const { bytecode, storage } = loadContract('TestToken')
const supplySlot = storage.find(({ label }) => label === 'totalSupply')!.slot

let devnet: Devnet
let overHttp: PublicClient
let overWs: PublicClient
let token: Address
let deployment: Hash
let other: Address

const chain = () =>
  defineChain({
    ...chainConfig,
    id: l2ChainId,
    name: 'rollbed',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [devnet.description.rpcUrl] } },
  })
const publicClient = (transport: Transport) =>
  createPublicClient({
    chain: chain(),
    transport,
    pollingInterval: 50,
    cacheTime: 0,
  }) as PublicClient
const account = (index: number) =>
  privateKeyToAccount(devnet.description.accounts[index]!.privateKey)
const wallet = (index = 0) =>
  createWalletClient({ account: account(index), chain: chain(), transport: http() })
const nextSeal = () => new Promise((resolve) => devnet.node.chain.on('sealed', resolve))
const confirmed = (hash: Hash) => overHttp.waitForTransactionReceipt({ hash })

beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, blockTime: 1, l1BlockTime: 1 })
  overHttp = publicClient(http(undefined, { batch: true }))
  overWs = publicClient(webSocket(devnet.description.wsUrl))
  other = account(1).address
  deployment = await wallet().deployContract({
    abi: testTokenAbi,
    bytecode,
    args: ['Test', 'TST', SUPPLY],
  })
  token = (await confirmed(deployment)).contractAddress!
  await nextSeal()
})
afterAll(async () => {
  if (overWs) (await overWs.transport.getRpcClient()).close()
  await devnet?.stop()
})

describe.each([
  ['http', () => overHttp],
  ['webSocket', () => overWs],
])('viem over %s', (_name, client) => {
  test('getChainId, getBlockNumber, getBlock, getBlockTransactionCount', async () => {
    expect(await client().getChainId()).toBe(l2ChainId)
    expect(await client().getBlockNumber()).toBeGreaterThan(0n)
    for (const blockTag of ['latest', 'safe', 'finalized', 'earliest'] as const) {
      expect((await client().getBlock({ blockTag })).hash).toMatch(/^0x\w{64}$/)
    }
    const first = await client().getBlock({ blockNumber: 1n, includeTransactions: true })
    expect(first.transactions).toMatchObject([{ type: 'deposit', blockNumber: 1n }])
    expect(await client().getBlock({ blockHash: first.hash })).toMatchObject({ number: 1n })
    expect(await client().getBlockTransactionCount({ blockNumber: 1n })).toBe(1)
    expect(await client().getBlockTransactionCount({ blockHash: first.hash })).toBe(1)
    await expect(client().getBlock({ blockNumber: 99_999_999n })).rejects.toThrow('not be found')
  })

  test('the pending block has a null number and hash, and its transactions (RPC-PEND-02, -03)', async () => {
    const block = await client().getBlock({ blockTag: 'pending', includeTransactions: true })
    expect(block).toMatchObject({ number: null, hash: null })
    expect(block.transactions[0]).toMatchObject({ blockHash: null, blockNumber: null })
  })

  test('getBalance, getTransactionCount, getCode, getStorageAt, getProof', async () => {
    const { address } = account(8)
    expect(await client().getBalance({ address })).toBe(parseEther('10000'))
    expect(await client().getBalance({ address, blockNumber: 1n })).toBe(parseEther('10000'))
    expect(await client().getTransactionCount({ address, blockTag: 'pending' })).toBe(0)
    expect(await client().getCode({ address })).toBeUndefined()
    expect(await client().getCode({ address: token })).toMatch(/^0x60/)
    const slot: Hex = `0x${BigInt(supplySlot).toString(16)}`
    expect(BigInt((await client().getStorageAt({ address: token, slot }))!)).toBe(SUPPLY)
    const { storageProof } = await client().getProof({ address: token, storageKeys: [slot] })
    expect(storageProof[0]!.value).toBe(SUPPLY)
  })

  test('getGasPrice, estimateMaxPriorityFeePerGas, estimateFeesPerGas, getFeeHistory', async () => {
    const { baseFeePerGas } = await client().getBlock()
    expect(await client().getGasPrice()).toBeGreaterThanOrEqual(baseFeePerGas!)
    expect(await client().estimateMaxPriorityFeePerGas()).toBeGreaterThan(0n)
    const { maxFeePerGas } = await client().estimateFeesPerGas()
    expect(maxFeePerGas).toBeGreaterThan(baseFeePerGas!)
    const history = await client().getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
    expect([history.baseFeePerGas.length, history.reward!.length]).toEqual([3, 2])
  })

  test('call, readContract, simulateContract, estimateGas, createAccessList', async () => {
    const contract = getContract({ address: token, abi: testTokenAbi, client: client() })
    expect(await contract.read.symbol()).toBe('TST')
    const transfer = [other, 1n] as const
    const options = { account: account(0) }
    const { result } = await contract.simulate.transfer(transfer, options)
    expect(result).toBe(true)
    expect(await contract.estimateGas.transfer(transfer, options)).toBeGreaterThan(21_000n)
    // transfer(address,uint256) of one unit.
    const data: Hex = `0xa9059cbb${other.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
    const { accessList } = await client().createAccessList({ ...options, to: token, data })
    expect(accessList).toMatchObject([
      { address: token, storageKeys: [expect.anything(), expect.anything()] },
    ])
    const overridden = await client().readContract({
      address: token,
      abi: testTokenAbi,
      functionName: 'totalSupply',
      stateOverride: [
        {
          address: token,
          stateDiff: [
            {
              slot: `0x${BigInt(supplySlot).toString(16).padStart(64, '0')}`,
              value: `0x${'7'.padStart(64, '0')}`,
            },
          ],
        },
      ],
    })
    expect(overridden).toBe(7n)
  })

  test('a custom error of Solidity is decoded from the -32000 of eth_call (ERR-01)', async () => {
    const failing = client().simulateContract({
      address: token,
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [other, 5n],
      account: account(7),
    })
    const error: BaseError = await failing.then(
      () => expect.fail(),
      (thrown) => thrown,
    )
    const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    expect(reverted).toMatchObject({
      data: { errorName: 'InsufficientBalance', args: [account(7).address, 0n, 5n] },
    })
  })

  test('simulateBlocks and simulateCalls', async () => {
    const [block] = await client().simulateBlocks({
      blocks: [{ calls: [{ to: token, data: '0x18160ddd' }] }],
    })
    expect(BigInt(block!.calls[0]!.data)).toBe(SUPPLY)
    const { results } = await client().simulateCalls({
      account: account(0).address,
      calls: [{ to: token, abi: testTokenAbi, functionName: 'transfer', args: [other, 1n] }],
    })
    expect(results[0]).toMatchObject({ status: 'success', result: true })
  })

  test('transactions, receipts and logs', async () => {
    const receipt = await client().getTransactionReceipt({ hash: deployment })
    expect(receipt).toMatchObject({ status: 'success', type: 'eip1559', l1Fee: expect.any(BigInt) })
    const { blockHash, blockNumber, transactionIndex: index } = receipt
    const transaction = await client().getTransaction({ hash: deployment })
    expect(transaction).toMatchObject({ blockHash, blockNumber, transactionIndex: index })
    expect(await client().getTransaction({ blockHash, index })).toEqual(transaction)
    expect(await client().getTransaction({ blockNumber, index })).toEqual(transaction)
    expect(await client().getTransactionConfirmations({ hash: deployment })).toBeGreaterThan(0n)
    const logs = await client().getContractEvents({
      address: token,
      abi: testTokenAbi,
      eventName: 'Transfer',
      blockHash,
    })
    expect(logs).toMatchObject([{ args: { value: SUPPLY }, transactionHash: deployment }])
  })
})

describe('viem wallet', () => {
  test('a contract stands where getContractAddress says', () => {
    expect(token).toBe(getContractAddress({ from: account(0).address, nonce: 0n }).toLowerCase())
  })

  test('every type of transaction', async () => {
    const to = other
    const accessList = [{ address: token, storageKeys: [] }]
    const sent = [
      { type: 'legacy' as const, to },
      { type: 'eip2930' as const, to, accessList },
      { type: 'eip1559' as const, to },
    ]
    for (const transaction of sent) {
      const hash = await wallet(2).sendTransaction(transaction as never)
      expect(await confirmed(hash)).toMatchObject({ status: 'success', type: transaction.type })
    }
    const authorization = await wallet(2).signAuthorization({
      contractAddress: token,
      executor: 'self',
    })
    const hash = await wallet(2).sendTransaction({ to, authorizationList: [authorization] })
    expect(await confirmed(hash)).toMatchObject({ status: 'success', type: 'eip7702' })
    expect(await overHttp.getCode({ address: account(2).address, blockTag: 'pending' })).toBe(
      `0xef0100${token.slice(2)}`,
    )
  })

  test('prepareTransactionRequest, signTransaction, sendRawTransaction', async () => {
    const request = await wallet(3).prepareTransactionRequest({ to: other, value: 1n })
    expect(request).toMatchObject({ nonce: 0, gas: 21_000n, chainId: l2ChainId })
    const serializedTransaction = await wallet(3).signTransaction(request as never)
    const hash = await overHttp.sendRawTransaction({ serializedTransaction })
    expect((await confirmed(hash)).status).toBe('success')
  })

  test('what cannot be sent fails with the error viem knows', async () => {
    const send = (value: bigint, nonce: number) =>
      wallet(4).sendTransaction({ to: other, value, nonce, gas: 21_000n })
    await expect(send(parseEther('20000'), 0)).rejects.toThrow('exceeds the balance')
    await confirmed(await send(1n, 0))
    await expect(send(1n, 0)).rejects.toThrow(/nonce .* lower/i)
  })
})

describe('viem watches', () => {
  test('blocks, block numbers, events and pending transactions over WebSocket', async () => {
    const seen = <T>(watch: (resolve: (value: T) => void) => () => void) => {
      const { promise, resolve } = Promise.withResolvers<T>()
      const unwatch = watch(resolve)
      return promise.finally(unwatch)
    }
    const block = seen<bigint>((resolve) =>
      overWs.watchBlocks({ onBlock: ({ number }) => resolve(number!) }),
    )
    const number = seen<bigint>((resolve) => overWs.watchBlockNumber({ onBlockNumber: resolve }))
    const events = seen<unknown[]>((resolve) =>
      overWs.watchContractEvent({ address: token, abi: testTokenAbi, onLogs: resolve }),
    )
    const pooled = seen<Hash[]>((resolve) =>
      overWs.watchPendingTransactions({ onTransactions: resolve }),
    )
    await overWs.getChainId()
    const hash = await wallet().writeContract({
      address: token,
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [other, 2n],
    })
    expect(await pooled).toContain(hash)
    expect(await events).toMatchObject([{ eventName: 'Transfer', transactionHash: hash }])
    expect(await block).toBeGreaterThan(0n)
    expect(await number).toBeGreaterThan(0n)
  })
})
