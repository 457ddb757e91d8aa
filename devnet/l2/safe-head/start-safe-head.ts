import type { Logger } from 'pino'
import { type RpcEndpoint, rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { OnNews } from '#devnet/base/process/paced-work'
import type { BlobSource } from '#devnet/l1/blobs/blob-source'
import { rpcL1Source } from '#devnet/l1/rpc-l1-source'
import type { Clock } from '#protocol/clock/clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import { Follower } from '../follower/follower.ts'
import { watchL1 } from '../follower/watch-l1.ts'
import type { ChainView } from '../node/chain-view.ts'
import { type AdoptBlock, compareBlocks } from './compare-blocks.ts'

export interface StartSafeHeadParameters {
  chain: ChainView
  l1RpcUrl: RpcEndpoint
  /** Tells of new L1 blocks. */
  l1News?: OnNews | undefined
  /** Needed where batches are in blobs. */
  blobs?: BlobSource | undefined
  config: RollupConfig
  clock: Clock
  /** Milliseconds between two looks at L1, 200 by default. */
  interval?: number
  /** Called where L1 says other than the sequencer. */
  adopt?: AdoptBlock
  /** A block is what L1 says it must be. Called for each, in order; after an L1 reorg again. */
  onSafe(block: Block): void
  /** After an L1 reorg nothing after this block is safe any more. */
  onRewind?(block: Block): void
  /** L1 can no longer change this block nor those before it. */
  onFinalized(block: Block): void
  logger?: Logger
}

export interface SafeHead extends OwnedResource {
  /** Looks at L1 now. Rejects when L1 cannot be read. */
  sync(): Promise<void>
}

/**
 * Starts to follow L1: derives the L2 chain from it, marks the sequencer's blocks safe that equal
 * what is derived, and finalized once their L1 blocks are. A block that does not is logged as error.
 */
export async function startSafeHead(parameters: StartSafeHeadParameters): Promise<SafeHead> {
  const { chain, config, clock, interval, onSafe, onFinalized, onRewind, adopt, logger } =
    parameters
  const abort = new AbortController()
  const rpc = rpcClientOf(parameters.l1RpcUrl)
  const l1 = rpcL1Source(rpc, { signal: abort.signal, blobs: parameters.blobs })
  const follower = new Follower({
    chain,
    l1,
    config,
    take: compareBlocks({ chain, adopt, logger }),
    onSafe,
    onFinalized,
    onRewind: (block) => onRewind?.(block),
  })
  const forgetReorg = chain.on('reorg', ({ removed }) => {
    follower.forgetAfter(removed.at(-1)!.header.number - 1n)
  })
  const { l1News: news } = parameters
  const watch = watchL1({ follower, rpc, l1, clock, interval, news, abort, logger })
  return {
    sync: () => watch.sync(),
    async stop() {
      forgetReorg()
      await watch.stop()
    },
  }
}
