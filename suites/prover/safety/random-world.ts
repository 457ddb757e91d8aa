import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { createKzg } from '#devnet/l1/blobs/kzg'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { buildChannel } from '#devnet/l2/batcher/build-channel'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { batchInbox, l1ChainId } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { encodeBlob } from '#protocol/derivation/blob-encoding'
import { executionRules } from '#protocol/derivation/execution-rules'
import { encodeBatcherData, type Frame } from '#protocol/derivation/frame'
import { l1Source } from '#protocol/derivation/l1-source'
import { advanceEpoch } from '#protocol/derivation/open-epoch'
import { payloadAttributes } from '#protocol/derivation/payload-attributes'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import {
  batcherTransaction,
  type ScriptedL1,
  scriptedL1,
} from '#protocol/derivation/testing/scripted-l1'
import { createExecutor } from '#protocol/execution/create-executor'
import { outputRoot } from '#protocol/execution/output-root'
import { toVersionedHash } from '#protocol/oracle/blob-preimages'
import type { BlobSidecar } from '#protocol/oracle/preimage-oracle'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block, Log } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import { configUpdateLog, depositLog } from '#suites/system/derivation/l1-logs'
import { randomTransactions } from './random-transactions.ts'

const portal: Address = `0x${'d0'.repeat(20)}`
const systemConfigContract: Address = `0x${'5c'.repeat(20)}`
/** OP specs, System Config: ConfigUpdate type 5, scalar and constant in one word. */
const OPERATOR_FEE_UPDATE = 5
const GENESIS_TIME = 1_700_000_000
const L1_BLOCK_TIME = 4n
const BLOCK_TIME = 2n
const batcher = privateKeyToAccount(roleKeys.batcher.privateKey)

/** A rollup in memory: real headers, tries and state, made from nothing but a seed. */
export interface World {
  readonly config: RollupConfig
  readonly l1: ScriptedL1
  /** From genesis on; index is number. */
  readonly blocks: readonly Block[]
  /** By L2 block number: the L1 block from which on it can be derived. */
  readonly includedIn: readonly number[]
  /** L2 state. */
  readonly store: StateStore
  readonly blobs: ReadonlyMap<Hash, BlobSidecar>
  rootOf(number: number): Hash
  /** Posts the last channel's frames again, changed, a block for each, in place of what L1 had. */
  repost(change: (frames: Frame[]) => Frame[]): Promise<void>
}

/** One state for all worlds: they differ from their first block on. */
const genesis = rollupGenesis({
  l1Start: { ...scriptedL1(BigInt(GENESIS_TIME)).head(), timestamp: GENESIS_TIME },
  contracts: {
    ...l1ContractAddresses(roleKeys.deployer.address),
    optimismPortal: portal,
    systemConfig: systemConfigContract,
  },
  fork: 'jovian',
  blockTime: Number(BLOCK_TIME),
})

/**
 * Three to six L2 blocks of random transactions and deposits over several L1 blocks, posted in one
 * to three channels of random form.
 * @param options.blob the first channel travels in a blob (slow: half a second of KZG)
 * @param options.length so many near-empty L2 blocks in one channel instead
 */
export async function randomWorld(
  seed: number,
  { blob = false, length }: { blob?: boolean; length?: number } = {},
): Promise<World> {
  const rng = seededRng(`safety ${seed}`)
  const below = (bound: number) => randomInt(rng, bound)
  const { config, block, store: base } = await genesis
  const store = storeOver(base)
  const executor = await createExecutor(executionRules(config))
  const transactions = randomTransactions(rng)
  const l1 = scriptedL1(BigInt(GENESIS_TIME))
  const blobs = new Map<Hash, BlobSidecar>()
  const blocks = [block]
  const includedIn = [0]
  let origin = 0
  let sequenceNumber = 0n
  let { systemConfig } = config.genesis
  let lastPost: { l1Number: number; frames: Frame[] } | undefined

  const mine = (content: { transactions?: Uint8Array[]; logs?: Log[] } = {}) =>
    l1.mine({ ...content, timestamp: l1.head().timestamp + L1_BLOCK_TIME })

  async function build(raw: Uint8Array[]): Promise<void> {
    const parent = blocks.at(-1)!
    const timestamp = parent.header.timestamp + BLOCK_TIME
    const source = l1Source(l1.oracle)
    const opens = origin < Number(l1.head().number) && l1.at(origin + 1).timestamp <= timestamp
    const before = {
      ...{ l1Origin: { number: BigInt(origin) }, sequenceNumber, systemConfig },
      timestamp: parent.header.timestamp,
    }
    if (opens) origin += 1
    const l1Origin = await source.header(l1.at(origin).hash)
    const epoch = await advanceEpoch(config, source, l1Origin, before, timestamp * 1000n)
    ;({ sequenceNumber, systemConfig } = epoch)
    const attributes = payloadAttributes({
      ...{ config, systemConfig, l1Origin, sequenceNumber, deposits: epoch.deposits },
      number: parent.header.number + 1n,
      timestampMs: timestamp * 1000n,
      transactions: raw,
    })
    const open = await executor.openBlock({
      ...{ store, parent: parent.header, parentHash: parent.hash, attributes },
      blockHash: async (number) => blocks[Number(number)]?.hash,
    })
    for (const each of attributes.transactions) await open.execute(decodeTransaction(each))
    blocks.push(await open.seal())
  }

  /** Blocks from `first` on as one channel, in one or two L1 blocks. */
  async function post(first: number): Promise<void> {
    const data = await buildChannel(blocks.slice(first), {
      config,
      batchType: below(2) ? 'span' : 'singular',
      compression: below(2) ? 'brotli' : 'zlib',
    })
    const frames = cutRandomly(data, bytesToHex(rng.bytes(16)), rng)
    lastPost = { l1Number: Number(l1.head().number) + 1, frames }
    if (blob && blobs.size === 0) await postBlob(frames)
    else await postFrames(frames, below(2) === 0)
    const included = Number(l1.head().number)
    while (includedIn.length < blocks.length) includedIn.push(included)
  }

  async function postFrames(frames: Frame[], together: boolean): Promise<void> {
    if (frames.length === 0) return void mine()
    const parts = together ? [frames] : frames.map((frame) => [frame])
    for (const part of parts)
      mine({ transactions: [await batcherTransaction(batchInbox, part, batcher)] })
  }

  async function postBlob(frames: Frame[]): Promise<void> {
    const kzg = createKzg()
    try {
      const content = encodeBlob(encodeBatcherData(frames))
      const commitment = await kzg.commit(content)
      const hash = toVersionedHash(commitment)
      const proof = await kzg.prove(content, commitment)
      blobs.set(hash, { blob: content, commitment, proof })
      mine({ transactions: [await blobTransaction(hash)] })
    } finally {
      await kzg.stop()
    }
  }

  mine()
  const channels = length ? 1 : 1 + below(3)
  for (let channel = 0; channel < channels; channel++) {
    const first = blocks.length
    const count = length ?? 1 + below(2) + (channels === 1 ? 2 : 0)
    for (let i = 0; i < count; i++) {
      if (below(2)) mine({ logs: randomLogs(rng) })
      const raw = blocks.length === 1 ? [await transactions.deploy()] : []
      for (let left = length ? 0 : below(4); left > 0; left--) raw.push(await transactions.next())
      await build(raw.map((each) => hexToBytes(each)))
    }
    await post(first)
  }
  mine()

  return {
    ...{ config, l1, blocks, includedIn, store, blobs },
    rootOf(number) {
      const { header, hash } = blocks[number]!
      return outputRoot({ ...header, hash })
    },
    async repost(change) {
      const { l1Number, frames } = lastPost!
      l1.rewind(l1Number - 1)
      await postFrames(change(frames), false)
    },
  }
}

function randomLogs(rng: Rng): Log[] {
  const [from, to] = [userKeys[7]!.address, userKeys[randomInt(rng, 6)]!.address]
  const mint = BigInt(randomInt(rng, 1_000))
  const deposit = depositLog(portal, { from, to, mint, value: mint, gas: 100_000n, data: '0x' })
  const operatorFee = (BigInt(randomInt(rng, 5)) << 64n) | BigInt(randomInt(rng, 5))
  const update = configUpdateLog(systemConfigContract, OPERATOR_FEE_UPDATE, [operatorFee])
  return [[], [deposit], [update], [deposit, update, deposit]][randomInt(rng, 4)]!
}

function cutRandomly(data: Uint8Array, channelId: Hash, rng: Rng): Frame[] {
  const count = 1 + randomInt(rng, 3)
  const size = Math.ceil(data.length / count)
  return Array.from({ length: count }, (_, number) => ({
    ...{ channelId, number, isLast: number === count - 1 },
    data: data.subarray(number * size, (number + 1) * size),
  }))
}

/** As it stands in a block: without the blob. */
async function blobTransaction(hash: Hash): Promise<Uint8Array> {
  const signed = await batcher.signTransaction({
    ...{ type: 'eip4844', chainId: l1ChainId, nonce: 0, to: batchInbox, gas: 21_000n },
    ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 1n },
    blobVersionedHashes: [hash],
  })
  return hexToBytes(signed)
}

/** What is written stays out of the base, which all worlds share. */
function storeOver(base: StateStore): StateStore {
  const written = new Map<Hash, Uint8Array>()
  return {
    get: (hash) => written.get(hash) ?? base.get(hash),
    put: (hash, value) => void written.set(hash, value),
  }
}
