import type { Logger } from 'pino'
import { DEVNET_DEFAULTS } from '#devnet/base/options/devnet-options'
import { usualHistory } from '#devnet/base/options/usual-history'
import { executionRules } from '#protocol/derivation/execution-rules'
import type { L1Source } from '#protocol/derivation/l1-source'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { createExecutor } from '#protocol/execution/create-executor'
import { executePayload } from '#protocol/proof/execute-payload'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'
import { BlockArchive } from '../node/chain/block-archive.ts'
import { Chain } from '../node/chain/chain.ts'
import { EventEmitter } from '../node/chain/event-emitter.ts'
import type { ChainEvents, ChainView } from '../node/chain-view.ts'
import { Pool } from '../node/mempool/pool.ts'
import { PoolRejected } from '../node/mempool/pool-rejected.ts'
import { keepHistory } from '../node/state/keep-history.ts'
import { PrunedStore } from '../node/state/pruned-store.ts'
import { Follower } from './follower.ts'

export interface DerivedChainParameters {
  config: RollupConfig
  genesis: Block
  /** Holds the genesis state, and is left as it is. */
  store: StateSource
  l1: L1Source
  /** Newest blocks whose state stays readable; at least 256; default: as a devnet's node. */
  historyBlocks?: number | undefined
  logger?: Logger | undefined
}

export interface DerivedChain {
  /** Where `latest` and `safe` are one. */
  readonly chain: ChainView
  /** Derives and executes all that L1 gives up to this head. Calls must not overlap. */
  follow(l1Head: Hash): Promise<void>
  /** L1 blocks up to this one are final. */
  finalize(l1Number: bigint): void
  /** Nothing of the chain can be read after it. */
  close(): void
}

/** Makes the L2 chain from L1 and the genesis state alone: derives every block and executes it. */
export async function createDerivedChain(
  parameters: DerivedChainParameters,
): Promise<DerivedChain> {
  const { config, genesis, l1, logger } = parameters
  const { historyBlocks = usualHistory(config.upgrades) } = parameters
  const execution = executionRules(config)
  const executor = await createExecutor(execution)
  const events = new EventEmitter<ChainEvents>((error, event) =>
    logger?.error({ err: error, event }, 'listener failed'),
  )
  const store = new PrunedStore(parameters.store)
  const blocks = new BlockArchive({ recentBlocks: historyBlocks })
  blocks.append(genesis)
  const heads = { latest: genesis, safe: genesis, finalized: genesis }
  const shared = { config: execution, heads, store, pool: new Pool(), events, blocks }
  const chain = new ReadOnlyChain(shared)
  const historyMemory = (DEVNET_DEFAULTS.historyMemory * 1024 ** 2) / 2
  keepHistory({ chain, store, historyBlocks, historyMemory })

  const execute = (parent: Block, attributes: PayloadAttributes) => {
    const blockHash = (number: bigint) => chain.blockHash(number)
    return executePayload({ executor, store, parent, attributes, config, blockHash })
  }
  const follower = new Follower({
    chain,
    l1,
    config,
    take: async (payload, parent, reject) =>
      (await execute(parent, payload.attributes)) ?? (await execute(parent, reject().attributes)),
    onSafe(block) {
      chain.publishSealed(block)
      chain.markSafe(block)
    },
    onFinalized: (block) => chain.markFinalized(block),
    onRewind: (block) => chain.publishRollback(block, block.header.stateRoot),
  })
  return {
    chain,
    follow: (l1Head) => follower.follow(l1Head),
    finalize: (l1Number) => follower.finalize(l1Number),
    close: () => blocks.close(),
  }
}

/** Nothing comes in but from L1. */
class ReadOnlyChain extends Chain {
  override async accept(): Promise<Hash> {
    throw new PoolRejected('NO_MEMPOOL', 'this node follows L1 and takes no transactions')
  }
}
