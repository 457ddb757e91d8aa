import type { Logger } from 'pino'
import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import { DEVNET_DEFAULTS } from '#devnet/base/options/devnet-options'
import { usualHistory } from '#devnet/base/options/usual-history'
import { type OwnedResource, ResourceStack } from '#devnet/base/process/owned-resource'
import type { OnNews } from '#devnet/base/process/paced-work'
import type { FaultyDisk } from '#devnet/faults/faulty-disk'
import type { Clock } from '#protocol/clock/clock'
import { executionRules } from '#protocol/derivation/execution-rules'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { EngineFault } from '#protocol/evm/engine-fault'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor } from '#protocol/execution/executor'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { StateSource } from '#protocol/types/state'
import { Branches } from './branches/branches.ts'
import { BlockArchive } from './chain/block-archive.ts'
import { Chain } from './chain/chain.ts'
import { EventEmitter } from './chain/event-emitter.ts'
import type { KeptChain } from './chain/kept-chain.ts'
import { tellDivergence } from './chain/tell-divergence.ts'
import type { ChainControl } from './chain-control.ts'
import type { ChainEvents, ChainView, PendingBlock } from './chain-view.ts'
import { Pool, type PoolLimits } from './mempool/pool.ts'
import { ChainCheats } from './sequencer/chain-cheats.ts'
import { type FetchL1Block, startL1Prefetch } from './sequencer/l1-prefetch.ts'
import type { L1View } from './sequencer/l1-view.ts'
import { newestOrigin } from './sequencer/newest-origin.ts'
import { rpcL1Blocks } from './sequencer/rpc-l1-blocks.ts'
import { Sequencer } from './sequencer/sequencer.ts'
import { keepHistory } from './state/keep-history.ts'
import { PrunedStore } from './state/pruned-store.ts'
import type { RetainingStore } from './state/retaining-store.ts'

export interface StartNodeParameters {
  config: RollupConfig
  genesis: Block
  /** Hashes of the blocks below the first one, in a fork. */
  hashBelow?: ((number: bigint) => Promise<Hash>) | undefined
  /** Holds the genesis state. The node leaves it as it is; later states are in `chain.store`. */
  store: StateSource
  l1RpcUrl: RpcEndpoint
  /** Tells of new L1 blocks. */
  l1News?: OnNews | undefined
  /** Stands in for `l1RpcUrl`; for tests. */
  l1View?: L1View
  clock: Clock
  /** By which L1 is looked at. @default clock */
  l1Clock?: Clock
  /** Milliseconds between flashblocks; default as `DEVNET_DEFAULTS`. */
  flashblockTime?: number
  /** Blocks and flashblocks come only from `seal()` and `flashblock()`. */
  manual?: boolean
  /** false: there is no pending block. */
  preconfirmations?: boolean
  /** L1 blocks on top of an L2 block's origin, 0 by default. */
  confDepth?: number
  poolLimits?: Partial<PoolLimits>
  /** Newest sealed blocks whose state stays readable; at least 256; default: `usualHistory`.
   * Blocks stay for good. */
  historyBlocks?: number
  /** MiB that old blocks and states take at most, half of it each; default as `DEVNET_DEFAULTS`. */
  historyMemory?: number
  /** A chain that outlives the process: the node goes on from it, and all states stay. */
  kept?: KeptChain | undefined
  /** The disk under the chain, where it can take faults. */
  disk?: Pick<FaultyDisk, 'attach' | 'delay'> | undefined
  /** Builds the blocks, and nothing else uses it; default: one of the chain's rules on a fresh engine. */
  executor?: Executor
  logger?: Logger
}

export interface Node extends OwnedResource {
  readonly chain: ChainView & ChainControl
  readonly pool: Pool
  /** Executes pool transactions up to the next share of the block and publishes the result. */
  flashblock(): Promise<PendingBlock>
  /** Seals exactly what is pre-confirmed and opens the next block. */
  seal(): Promise<Block>
  /**
   * L1 says that the block after `parent` is another: it takes the place of what stands there.
   * @returns undefined when a transaction may not stand in it: then nothing has changed
   */
  adopt(parent: Block, attributes: PayloadAttributes): Promise<Block | undefined>
  /** Chains of their own upon blocks of this one. */
  readonly branches: Branches
  /** What tests do to a chain that users cannot. */
  readonly cheats: ChainCheats
}

/**
 * Starts the L2 node without its RPC: chain, mempool, and the sequencer that builds on L1.
 * @throws L1_ORIGIN_MISSING when L1 is not the one the genesis was made for; RpcUnreachable
 * @example
 * const node = await startNode({ config, genesis, store, l1RpcUrl, clock: systemClock })
 * await node.chain.submit(rawTransaction)
 * node.chain.on('flashblock', ({ transactions }) => console.log(transactions))
 * await node.stop()
 */
export async function startNode(parameters: StartNodeParameters): Promise<Node> {
  const { config, clock, logger, preconfirmations = true } = parameters
  const execution = executionRules(config)
  const events = new EventEmitter<ChainEvents>((error, event) =>
    logger?.error({ err: error, event }, 'listener failed'),
  )
  const pool = new Pool(
    (transaction, reason) => events.emit('discarded', { transaction, reason }),
    parameters.poolLimits,
  )
  events.on('discarded', ({ transaction: { hash }, reason }) => {
    if (reason.code === 'EXECUTION_FAILED') logger?.error({ err: reason, hash }, reason.message)
  })
  events.on('broke', ({ number, fault }) =>
    logger?.error({ err: fault, place: fault.place, number: Number(number) }, fault.message),
  )
  const onFault = (number: bigint, fault: EngineFault) => events.emit('broke', { number, fault })
  const resources = new ResourceStack()
  try {
    const { chain, store } = parameters.kept
      ? keptChain(parameters.kept, parameters, { execution, pool, events })
      : newChain(parameters, { execution, pool, events }, resources)
    tellDivergence(chain, logger)
    const { l1, fetchL1Block } = await openL1(parameters, chain, resources)
    const executor = parameters.executor ?? (await createExecutor(execution))
    const { flashblockTime = DEVNET_DEFAULTS.flashblockTime } = parameters
    const sequencer = new Sequencer({
      config,
      chain,
      building: { executor, store, pool, onFault },
      l1,
      clock,
      // Without pre-confirmations a block is filled at once, at its boundary.
      flashblockTime: preconfirmations ? flashblockTime : config.blockTime * 1000,
      manual: parameters.manual ?? false,
      preconfirmations,
      confDepth: BigInt(parameters.confDepth ?? 0),
      disk: parameters.disk,
      logger,
    })
    resources.add(sequencer)
    await sequencer.start()
    const shared = {
      ...{ config, execution, fetchL1Block, clock, flashblockTime, logger },
      // Never the one that builds the node's own blocks.
      executor: await createExecutor(execution),
    }
    return {
      branches: resources.add(new Branches({ ...shared, chain, pool, store })),
      cheats: new ChainCheats({
        ...{ sequencer, chain, store, pool, logger },
        times: config,
      }),
      chain,
      pool,
      flashblock: () => sequencer.flashblock(),
      seal: () => sequencer.seal(),
      adopt: (parent, attributes) => sequencer.adopt(parent, attributes),
      stop: () => resources.stop(),
    }
  } catch (error) {
    await resources.stop()
    throw error
  }
}

interface ChainParts {
  execution: ExecutionConfig
  pool: Pool
  events: EventEmitter<ChainEvents>
}

interface OpenedChain {
  chain: Chain
  store: RetainingStore
}

/** One that ends with the process: with the states of its newest blocks only. */
function newChain(
  parameters: StartNodeParameters,
  { execution: config, pool, events }: ChainParts,
  resources: ResourceStack,
): OpenedChain {
  const { genesis, hashBelow, historyBlocks = usualHistory(config.upgrades) } = parameters
  const { historyMemory: mebibytes = DEVNET_DEFAULTS.historyMemory } = parameters
  const historyMemory = (mebibytes * 1024 ** 2) / 2
  const store = new PrunedStore(parameters.store)
  const blocks = new BlockArchive({
    recentBlocks: historyBlocks,
    recentMemory: historyMemory,
    // A full disk is to be felt when it comes.
    writesAtOnce: parameters.disk !== undefined,
  })
  parameters.disk?.attach(blocks.database)
  resources.defer(() => blocks.close())
  blocks.append(genesis)
  const heads = { latest: genesis, safe: genesis, finalized: genesis }
  const first = genesis.header.number
  const chain = new Chain({ config, heads, store, pool, events, blocks, first, hashBelow })
  keepHistory({ chain, store, historyBlocks, historyMemory, first: first + 1n })
  return { chain, store }
}

function keptChain(
  kept: KeptChain,
  { genesis, store: source, disk }: StartNodeParameters,
  { execution: config, pool, events }: ChainParts,
): OpenedChain {
  const { store, blocks, cheated } = kept
  disk?.attach(blocks.database)
  const heads = kept.heads ?? kept.begin(genesis, config.chainId, source)
  const chain = new Chain({ config, heads, store, pool, events, blocks, cheated })
  kept.follow(chain)
  return { chain, store }
}

async function openL1(
  parameters: StartNodeParameters,
  chain: Chain,
  resources: ResourceStack,
): Promise<{ l1: L1View; fetchL1Block: FetchL1Block }> {
  const { l1View, l1RpcUrl, l1News: news, logger, config } = parameters
  const { l1Clock: clock = parameters.clock } = parameters
  if (l1View) return { l1: l1View, fetchL1Block: async (number) => l1View.block(number) }
  const fetchBlock = rpcL1Blocks(l1RpcUrl)
  const origin = await newestOrigin(chain, config, fetchBlock, new AbortController().signal)
  const l1 = resources.add(await startL1Prefetch({ fetchBlock, clock, origin, news, logger }))
  // What is at hand needs no call.
  const fetchL1Block: FetchL1Block = async (number, signal) =>
    l1.block(number) ?? (await fetchBlock(number, signal))
  return { l1, fetchL1Block }
}
