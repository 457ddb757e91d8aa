import {
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  getContract,
  type Hash,
  type Hex,
  type PublicClient,
  parseEther,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { l2ChainId } from '#fixtures/chain/constants'
import { loadContract } from '#fixtures/contracts/load-contract'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'
import { createViemScene, SUPPLY, type ViemScene } from './viem-scene.ts'

// viem 2.57.0, unmodified: every action that ends in a method the node offers.
const { storage } = loadContract('TestToken')
const supplySlot = storage.find(({ label }) => label === 'totalSupply')!.slot

let scene: ViemScene
let overHttp: PublicClient
let overWs: PublicClient
let account: ViemScene['account']
let token: Address
let deployment: Hash
let other: Address
beforeAll(async () => {
  scene = await createViemScene()
  ;({ overHttp, overWs, account, token, deployment, other } = scene)
})
afterAll(() => scene?.stop())

describe.each([
  ['http', () => overHttp],
  ['webSocket', () => overWs],
])('viem over %s', (_name, client) => {
  test('given getChainId, getBlockNumber, getBlock and getBlockTransactionCount, then each tells what the devnet has', async () => {
    expect(await client().getChainId()).toBe(l2ChainId)
    expect(await client().getBlockNumber()).toBeGreaterThan(0n)
    for (const blockTag of ['latest', 'safe', 'finalized', 'earliest'] as const) {
      expect((await client().getBlock({ blockTag })).hash).toMatch(/^0x\w{64}$/)
    }
    const { blockNumber } = await client().getTransactionReceipt({ hash: deployment })
    const { hash: blockHash, transactions } = await client().getBlock({
      blockNumber,
      includeTransactions: true,
    })
    expect(transactions).toMatchObject([{ type: 'deposit', blockNumber }, { hash: deployment }])
    expect(await client().getBlock({ blockHash })).toMatchObject({ number: blockNumber })
    expect(await client().getBlockTransactionCount({ blockNumber })).toBe(2)
    expect(await client().getBlockTransactionCount({ blockHash })).toBe(2)
    await expect(client().getBlock({ blockNumber: 99_999_999n })).rejects.toThrow('not be found')
  })

  test('given the pending block, then it has a null number and hash, and its transactions (RPC-PEND-02, -03)', async () => {
    const block = await client().getBlock({ blockTag: 'pending', includeTransactions: true })
    expect(block).toMatchObject({ number: null, hash: null })
    expect(block.transactions[0]).toMatchObject({ blockHash: null, blockNumber: null })
  })

  test('given getBalance, getTransactionCount, getCode, getStorageAt and getProof, then each tells the state', async () => {
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

  test('given getGasPrice, estimateMaxPriorityFeePerGas, estimateFeesPerGas and getFeeHistory, then the fees fit the blocks', async () => {
    const { baseFeePerGas } = await client().getBlock()
    expect(await client().getGasPrice()).toBeGreaterThanOrEqual(baseFeePerGas!)
    expect(await client().estimateMaxPriorityFeePerGas()).toBeGreaterThan(0n)
    const { maxFeePerGas } = await client().estimateFeesPerGas()
    expect(maxFeePerGas).toBeGreaterThan(baseFeePerGas!)
    const history = await client().getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
    expect([history.baseFeePerGas.length, history.reward!.length]).toEqual([3, 2])
  })

  test('given call, readContract, simulateContract, estimateGas and createAccessList, then each has its result', async () => {
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

  test('given a custom error of Solidity, then it is decoded from the -32000 of eth_call (ERR-01)', async () => {
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

  test('given simulateBlocks and simulateCalls, then each has its results', async () => {
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

  test('given transactions, receipts and logs, then they fit each other', async () => {
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

describe('viem filters', () => {
  test('given createContractEventFilter and createBlockFilter, then getFilterLogs and getFilterChanges read them until uninstallFilter', async () => {
    const events = await overHttp.createContractEventFilter({
      address: token,
      abi: testTokenAbi,
      eventName: 'Transfer',
      fromBlock: 1n,
    })
    const blocks = await overHttp.createBlockFilter()
    expect(await overHttp.getFilterLogs({ filter: events })).toMatchObject([
      { eventName: 'Transfer', args: { value: SUPPLY } },
    ])
    await scene.nextSeal()
    expect((await overHttp.getFilterChanges({ filter: blocks })).length).toBeGreaterThan(0)
    expect(await overHttp.uninstallFilter({ filter: blocks })).toBe(true)
    expect(await overHttp.uninstallFilter({ filter: blocks })).toBe(false)
  })
})
