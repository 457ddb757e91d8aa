import type { UpgradeOptions } from '#devnet/base/options/upgrade-options'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { type BatchType, buildChannel } from '#devnet/l2/batcher/build-channel'
import { cutFrames } from '#devnet/l2/batcher/cut-frames'
import { Submissions } from '#devnet/l2/batcher/submissions'
import { createDerivedChain, type DerivedChain } from '#devnet/l2/follower/derived-chain'
import { Follower } from '#devnet/l2/follower/follower'
import { PoolRejected } from '#devnet/l2/node/mempool/pool-rejected'
import { startL1Prefetch } from '#devnet/l2/node/sequencer/l1-prefetch'
import { type Node, startNode } from '#devnet/l2/node/start-node'
import { compareBlocks } from '#devnet/l2/safe-head/compare-blocks'
import { type RollupGenesis, rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { timestampMs } from '#protocol/derivation/base-time'
import type { ChannelCompression } from '#protocol/derivation/channel-compression'
import { encodeBatcherData } from '#protocol/derivation/frame'
import { scriptedL1 } from '#protocol/derivation/testing/scripted-l1'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { TransactionMalformed } from '#protocol/transaction/transaction-malformed'
import type { Block } from '#protocol/types/block'
import { nextBlockMs } from '#protocol/upgrades/block-times'
import { type RandomSource, randomSource } from '#suites/oracles/differential/random-source'
import { ChaoticL1 } from './chaotic-l1.ts'
import { knownAccounts, randomTransaction } from './random-transaction.ts'

const GENESIS_TIME = 1_700_000_000
const L1_BLOCK_TIME = 6
const L2_BLOCK_TIME = 2
/** L1 blocks; what most reorgs spare. */
const FINALITY = 16
const MAX_KNOWN = 200
const BATCH_TYPES: readonly BatchType[] = ['span', 'singular']
const COMPRESSIONS: readonly ChannelCompression[] = ['zlib', 'brotli']

export interface WorldCounts {
  /** Sealed by the sequencer, those that were dropped again too. */
  sealed: number
  /** Taken back by the sequencer. */
  removed: number
  /** Blocks that L1 gave otherwise. */
  adopted: number
  /** Times that safe went back, always after an L1 reorg. */
  safeWentBack: number
  /** Times that L1 dropped a block it had called final. */
  finalityBroken: number
  hostileBatches: number
  outages: number
}

/**
 * A sequencer, a batcher, the devnet's safe head and a follower that knows nothing but L1, in one
 * process on a virtual clock.
 */
export class RollupWorld {
  readonly counts: WorldCounts = {
    sealed: 0,
    removed: 0,
    adopted: 0,
    safeWentBack: 0,
    finalityBroken: 0,
    hostileBatches: 0,
    outages: 0,
  }
  readonly clock: VirtualClock
  readonly l1: ChaoticL1
  readonly node: Node
  readonly follower: DerivedChain
  readonly #genesis: RollupGenesis
  readonly #random: RandomSource
  /** Accounts that transactions go to. */
  readonly #known = knownAccounts()
  readonly #safeHead: Follower
  readonly #submissions: Submissions
  readonly #format: { batchType: BatchType; compression: ChannelCompression }
  readonly #resources: ResourceStack
  #batcherIsDownFor = 0

  constructor(parts: Parts) {
    const { random, genesis, l1, node, resources } = parts
    this.clock = parts.clock
    this.l1 = l1
    this.node = node
    this.follower = parts.follower
    this.#genesis = genesis
    this.#random = random
    this.#resources = resources
    const { config } = genesis
    const { chain } = node
    this.#safeHead = new Follower({
      chain,
      l1: l1.source,
      config,
      take: compareBlocks({
        chain,
        adopt: async (parent, attributes) => {
          this.counts.adopted++
          return await node.adopt(parent, attributes)
        },
        logger: undefined,
      }),
      onSafe: (block) => chain.markSafe(block),
      onRewind: (block) => chain.unmarkSafe(block),
      onFinalized: (block) => chain.markFinalized(block),
    })
    const format = {
      config,
      batchType: random.pick(BATCH_TYPES),
      compression: random.pick(COMPRESSIONS),
    }
    this.#format = format
    this.#submissions = new Submissions({
      chain,
      inbox: l1.inbox,
      format,
      maxFrameData: 4_000,
      repostAfter: 2,
      clock: this.clock,
      logger: undefined,
    })
    chain.on('sealed', ({ receipts }) => {
      this.counts.sealed++
      for (const { contractAddress } of receipts) {
        if (contractAddress && this.#known.length < MAX_KNOWN) this.#known.push(contractAddress)
      }
    })
    chain.on('reorg', ({ removed }) => {
      this.counts.removed += removed.length
      this.#submissions.forget(removed)
      this.#safeHead.forgetAfter(removed.at(-1)!.header.number - 1n)
    })
  }

  /**
   * One L1 block, or a reorg, and the L2 blocks until then.
   * @param dropped L1 blocks that a reorg drops now; default: as chance has it
   */
  async step(dropped = 0): Promise<void> {
    const random = this.#random
    const isChaotic = this.l1.isChaotic
    // L1 stands still at times, once longer than the sequencer may run ahead of it.
    const slots = isChaotic && random.oneIn(30) ? 2 + random.below(20) : 1
    for (let elapsed = 0; elapsed < slots * L1_BLOCK_TIME; elapsed += L2_BLOCK_TIME) {
      await this.clock.advance(L2_BLOCK_TIME * 1000)
      await this.#buildBlocks()
    }
    const timestamp = BigInt(Math.floor(this.clock.now() / 1000))
    const depth = dropped || (isChaotic && random.oneIn(12) ? this.#reorgDepth() : 0)
    if (depth > 0 && depth < this.l1.head().number) {
      this.l1.reorg(depth)
      for (let i = BigInt(depth); i > 0n; i--) this.l1.mine(timestamp - i)
    }
    this.l1.mine(timestamp)
    await this.#follow()
    await this.#buildBlocks()
    await this.#post()
  }

  /** The chain as somebody derives it who comes late and sees L1 for the first time. */
  async latecomer(): Promise<DerivedChain> {
    const { config, block, store } = this.#genesis
    const shared = { config, genesis: block, store, historyBlocks: 100_000 }
    const late = await createDerivedChain({ ...shared, l1: this.l1.source })
    await late.follow(this.l1.head().hash)
    return late
  }

  stop(): Promise<void> {
    return this.#resources.stop()
  }

  async #buildBlocks(): Promise<void> {
    const { node, clock } = this
    const { config } = this.#genesis
    const due = () => nextBlockMs(config, timestampMs(node.chain.latest()))
    while (due() <= BigInt(clock.now())) {
      const isFast = nextBlockMs(config, due()) - due() < 1000n
      for (let i = this.#random.below(isFast ? 2 : 4); i > 0; i--) await this.#submit()
      await node.flashblock()
      if (this.#random.oneIn(4)) {
        await this.#submit()
        await node.flashblock()
      }
      await node.seal()
    }
  }

  async #submit(): Promise<void> {
    await this.node.chain.submit(this.#transaction()).catch((error: unknown) => {
      if (!(error instanceof PoolRejected || error instanceof TransactionMalformed)) throw error
    })
  }

  #reorgDepth(): number {
    const range = this.#random.oneIn(5) ? FINALITY + 8 : FINALITY - 4
    const depth = 1 + this.#random.below(range)
    if (depth > FINALITY) this.counts.finalityBroken++
    return depth
  }

  #transaction(): Uint8Array {
    return randomTransaction(this.#random, this.node.chain, this.#known)
  }

  async #post(): Promise<void> {
    const random = this.#random
    if (this.l1.isChaotic) {
      if (this.#batcherIsDownFor === 0 && random.oneIn(80)) {
        // Longer than the sequencing window, now and then.
        this.#batcherIsDownFor = random.below(60)
        this.counts.outages++
      }
      this.#format.batchType = random.pick(BATCH_TYPES)
      this.#format.compression = random.pick(COMPRESSIONS)
      if (random.oneIn(25)) await this.#injectHostileBatch()
      if (this.#batcherIsDownFor > 0) {
        this.#batcherIsDownFor--
        return
      }
    }
    await this.#submissions.step()
  }

  /** A batch for the next safe block, with a transaction in it that nobody can execute. */
  async #injectHostileBatch(): Promise<void> {
    const { chain } = this.node
    const next = chain.blockByNumber(chain.safe().header.number + 1n)
    if (!next) return
    const { config } = this.#genesis
    const odd = decodeTransaction(this.#transaction())
    // The second of two that are the same has a nonce that is used up.
    const block: Block = { ...next, transactions: [...next.transactions, odd, odd] }
    const channel = await buildChannel([block], { config, ...this.#format })
    for (const frame of cutFrames(channel, 100_000)) this.l1.inject(encodeBatcherData([frame]))
    this.counts.hostileBatches++
  }

  /** Both look at the same L1; the safe head twice, for it overrules the sequencer at second sight. */
  async #follow(): Promise<void> {
    const { chain } = this.node
    const { hash, number } = this.l1.head()
    const safeBefore = chain.safe().header.number
    await this.#safeHead.follow(hash)
    await this.#safeHead.follow(hash)
    await this.follower.follow(hash)
    const finalized = number - BigInt(FINALITY)
    this.#safeHead.finalize(finalized)
    this.follower.finalize(finalized)
    if (chain.safe().header.number < safeBefore) this.counts.safeWentBack++
  }
}

interface Parts {
  random: RandomSource
  clock: VirtualClock
  l1: ChaoticL1
  node: Node
  follower: DerivedChain
  genesis: RollupGenesis
  resources: ResourceStack
}

/** A rollup and the L1 under it, both made from the seed. */
export async function startRollupWorld(
  seed: number,
  upgrades: UpgradeOptions = {},
): Promise<RollupWorld> {
  const random = randomSource(seed)
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  const script = scriptedL1(BigInt(GENESIS_TIME))
  const { hash } = script.head()
  const genesis = await rollupGenesis({
    l1Start: { number: 0n, hash, timestamp: GENESIS_TIME },
    contracts: l1ContractAddresses(roleKeys.deployer.address),
    fork: random.oneIn(3) ? 'isthmus' : 'jovian',
    blockTime: L2_BLOCK_TIME,
    upgrades,
  })
  const config = {
    ...genesis.config,
    sequencerWindowSize: 40,
    channelTimeout: 5,
    maxSequencerDrift: 60,
  }
  const l1 = new ChaoticL1(script, config, random)
  const resources = new ResourceStack()
  const origin = { number: 0n, hash }
  const l1View = resources.add(await startL1Prefetch({ fetchBlock: l1.fetchBlock, clock, origin }))
  const { block, store } = genesis
  const node = resources.add(
    await startNode({
      ...{ config, genesis: block, store, clock, l1View, l1RpcUrl: 'unused' },
      manual: true,
      historyBlocks: 100_000,
    }),
  )
  const shared = { config, genesis: block, store, historyBlocks: 100_000 }
  const follower = await createDerivedChain({ ...shared, l1: l1.source })
  return new RollupWorld({
    ...{ random, clock, l1, node, follower, resources },
    genesis: { ...genesis, config },
  })
}
