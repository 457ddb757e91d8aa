import { hexToBytes } from '@ethereumjs/util'
import { createTestClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { rpcL1Source } from '#devnet/l1/rpc-l1-source'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import { batchInbox, l1ChainId, l2ChainId } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import {
  type Batcher,
  type StartBatcherParameters,
  startBatcher,
} from '../batcher/start-batcher.ts'
import { type SafeHead, type StartSafeHeadParameters, startSafeHead } from './start-safe-head.ts'
import { GENESIS_HASH, type UnexecutedChain, unexecutedChain } from './testing/unexecuted-chain.ts'

const START = 1_700_000_000
const TX = hexToBytes(
  await privateKeyToAccount(`0x${'11'.repeat(32)}`).signTransaction({
    chainId: l2ChainId,
    nonce: 3,
    to: `0x${'77'.repeat(20)}`,
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
  }),
)

let resources: ResourceStack
let clock: VirtualClock
let l1: L1
let chain: UnexecutedChain
let config: RollupConfig
let safe: bigint[]
let finalized: bigint[]
let errors: unknown[]

beforeEach(async () => {
  resources = new ResourceStack()
  clock = new VirtualClock(START * 1000)
  l1 = resources.add(await startL1({ clock, genesisTime: START, blockTime: 0 }))
  const { hash, number } = await l1.mine()
  config = rollupConfig({ hash, number: Number(number) })
  chain = unexecutedChain(config, rpcL1Source(httpRpcClient(l1.rpcUrl)))
  safe = []
  finalized = []
  errors = []
})
afterEach(() => resources.stop())

describe.each([
  { batchType: 'span', compression: 'brotli' },
  { batchType: 'span', compression: 'zlib' },
  { batchType: 'singular', compression: 'brotli' },
  { batchType: 'span', compression: 'brotli', maxFrameData: 20 },
] as const)('given a batcher with %o', (format) => {
  test('when blocks of several epochs are posted, all become safe and then finalized', async () => {
    const { batcher, follower } = await start(format)
    const first = await l1.mine()
    await chain.seal(config.genesis.l1.hash)
    await chain.seal(config.genesis.l1.hash, [TX])
    await chain.seal(first.hash, [TX, TX])
    const second = await l1.mine()
    await chain.seal(second.hash)
    await flush(batcher)
    await follower.sync()
    expect(errors).toEqual([])
    expect(safe).toEqual([1n, 2n, 3n, 4n])
    expect(finalized).toEqual([])

    for (let i = 0; i < 4; i++) await l1.mine()
    await follower.sync()
    expect(finalized).toEqual([4n])
  })
})

test('given an L1 that drops the batches, they are posted again and become safe again', async () => {
  const { batcher, follower } = await start()
  const anchor = await snapshot()
  await chain.seal(config.genesis.l1.hash, [TX])
  await flush(batcher)
  await follower.sync()
  expect(safe).toEqual([1n])

  await revert(anchor)
  await l1.mine()
  await l1.mine()
  await chain.seal(config.genesis.l1.hash)
  await flush(batcher)
  await follower.sync()
  expect(safe).toEqual([1n, 1n, 2n])
  expect(batcher.posted()).toBe(2n)
})

test('given a sequencer that drops blocks, the new ones are posted and become safe', async () => {
  const { batcher, follower } = await start()
  const anchor = await snapshot()
  await chain.seal(config.genesis.l1.hash, [TX])
  await chain.seal(config.genesis.l1.hash, [TX])
  await flush(batcher)
  await revert(anchor)
  await l1.mine()
  chain.rewind(0n)
  await chain.seal(config.genesis.l1.hash)
  await flush(batcher)
  await follower.sync()
  expect(safe).toEqual([1n])
})

test('given an L1 that calls its final block by a higher number, then nothing is final that L1 may take back', async () => {
  const rpc = httpRpcClient(l1.rpcUrl)
  const l1RpcUrl: RpcClient = {
    async request(method, params, signal) {
      const answer = await rpc.request(method, params, signal)
      return params[0] === 'finalized' ? { ...(answer as object), number: '0xff' } : answer
    },
  }
  const { batcher, follower } = await start({}, { l1RpcUrl })
  await chain.seal(config.genesis.l1.hash)
  await flush(batcher)
  await follower.sync()
  expect([safe, finalized]).toEqual([[1n], []])
})

test('given posted blocks whose last the sequencer drops, none of their batch counts as posted any more', async () => {
  const { batcher } = await start()
  await chain.seal(config.genesis.l1.hash)
  await chain.seal(config.genesis.l1.hash)
  await flush(batcher)
  expect(batcher.posted()).toBe(2n)
  chain.rewind(1n)
  expect(batcher.posted()).toBe(0n)
})

test('given a block that is not what was posted, it does not become safe and both sides are logged', async () => {
  const { batcher, follower } = await start()
  const block = await chain.seal(config.genesis.l1.hash, [TX])
  await flush(batcher)
  chain.replace({ ...block, transactions: block.transactions.slice(0, 1) })
  await follower.sync()
  await follower.sync()
  expect(safe).toEqual([])
  expect(errors).toEqual([
    expect.objectContaining({ field: 'transactions.length', derived: '2', built: '1' }),
  ])
})

test('given nothing but its clock, the batcher posts at its interval and the follower follows', async () => {
  const { batcher } = await start({ interval: 1_000 }, { interval: 200 })
  await chain.seal(config.genesis.l1.hash)
  await stepUntil(async () => {
    await l1.mine()
    // The follower may see the batch in L1 before the batcher has its receipt.
    return safe.length > 0 && batcher.posted() > 0n
  })
  expect([safe, batcher.posted()]).toEqual([[1n], 1n])
})

/** The follower looks only when told, unless it gets another interval. */
async function start(
  options: Partial<StartBatcherParameters> = {},
  following: Partial<Pick<StartSafeHeadParameters, 'interval' | 'l1RpcUrl'>> = {},
): Promise<{ batcher: Batcher; follower: SafeHead }> {
  const shared = { chain, config, clock, l1RpcUrl: l1.rpcUrl }
  const { privateKey } = roleKeys.batcher
  const batcher = resources.add(await startBatcher({ ...shared, privateKey, ...options }))
  const logger = { warn: () => {}, error: (entry: unknown) => errors.push(entry) }
  const follower = resources.add(
    await startSafeHead({
      ...shared,
      interval: 1_000_000_000,
      ...following,
      onSafe: ({ header }) => safe.push(header.number),
      onFinalized: (block: Block) => {
        finalized.push(block.header.number)
        chain.markFinalized(block)
      },
      logger: logger as never,
    }),
  )
  return { batcher, follower }
}

/** Flushes while L1 mines. */
/** L1 blocks come only while batches wait for one: how many there are must not depend on the machine. */
async function flush(batcher: Batcher): Promise<void> {
  let done = false
  const flushed = batcher.flush().then(() => {
    done = true
  })
  await stepUntil(async () => {
    const { pending } = await client().getTxpoolStatus()
    if (pending > 0) await l1.mine()
    return done
  })
  await flushed
}

/** Moves the clock on in small steps, each time after `step` was taken. */
async function stepUntil(step: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (await step()) return
    await clock.advance(100)
  }
  throw new Error('it did not happen within 1,000 steps')
}

function client() {
  return createTestClient({ mode: 'anvil', transport: http(l1.rpcUrl) })
}
const snapshot = () => client().snapshot()
const revert = (id: `0x${string}`) => client().revert({ id })

function rollupConfig(genesisL1: { hash: `0x${string}`; number: number }): RollupConfig {
  return {
    l1ChainId,
    l2ChainId,
    fork: 'jovian',
    genesis: {
      l1: genesisL1,
      l2: { hash: GENESIS_HASH, number: 0 },
      l2Time: START + 1000,
      systemConfig: {
        batcherAddress: roleKeys.batcher.address,
        gasLimit: 30_000_000n,
        scalar: `0x01${'00'.repeat(31)}`,
        eip1559Denominator: 50,
        eip1559Elasticity: 6,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        minBaseFee: 0n,
        daFootprintGasScalar: 400,
      },
    },
    blockTime: 2,
    maxSequencerDrift: 1800,
    sequencerWindowSize: 3600,
    channelTimeout: 50,
    batchInboxAddress: batchInbox,
    depositContractAddress: `0x${'d0'.repeat(20)}`,
    l1SystemConfigAddress: `0x${'5c'.repeat(20)}`,
  }
}
