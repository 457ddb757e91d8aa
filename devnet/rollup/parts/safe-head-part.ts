import type { BlobSource } from '#devnet/l1/blobs/blob-source'
import type { Node } from '#devnet/l2/node/start-node'
import { type SafeHead, startSafeHead } from '#devnet/l2/safe-head/start-safe-head'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Part } from './part.ts'

export interface SafeHeadGiven extends Pick<Parameters<typeof startSafeHead>[0], 'logger'> {
  node: Pick<Node, 'chain' | 'adopt'>
  config: RollupConfig
  /** Needed where batches are in blobs. */
  blobs?: BlobSource
}

/** Derivation beside the node: it moves the safe and the finalized head as L1 says. */
export const safeHeadPart: Part<'safe-head-l1', SafeHeadGiven, Promise<SafeHead>> = {
  name: 'node',
  links: ['safe-head-l1'],
  start: ({ looks, links, l1News }, { node, ...more }) =>
    startSafeHead({
      ...more,
      ...{ chain: node.chain, l1RpcUrl: links['safe-head-l1'], l1News, clock: looks },
      adopt: (parent, attributes) => node.adopt(parent, attributes),
      onSafe: (block) => node.chain.markSafe(block),
      onRewind: (block) => node.chain.unmarkSafe(block),
      onFinalized: (block) => node.chain.markFinalized(block),
    }),
}
