import type { BlockTimes } from '../upgrades/block-times.ts'
import { type L1BlockRef, nextTimestamp, type SafeHead } from './batch-validity.ts'
import type { RollupConfig } from './rollup-config.ts'
import type { SingularBatch } from './singular-batch.ts'

export interface EmptyBatchParameters {
  config: BlockTimes & Pick<RollupConfig, 'sequencerWindowSize'>
  parent: SafeHead
  /** The epoch in question: the safe head's, or the next when its own is over. */
  epochNumber: bigint
  /** The L1 block that is read and used up. */
  l1Number: bigint
  origins: ReadonlyMap<bigint, L1BlockRef>
}

/**
 * The batch that no sequencer sent in time. The same epoch goes on until the next may begin, and each
 * has at least one block. Source: OP spec, Derivation, "Batch Queue" (end of the rules).
 * @returns `next-epoch` when the epoch is over, undefined when its sequencing window is not
 */
export function emptyBatch({
  config,
  parent,
  epochNumber,
  l1Number,
  origins,
}: EmptyBatchParameters): SingularBatch | 'next-epoch' | undefined {
  if (epochNumber + BigInt(config.sequencerWindowSize) > l1Number) return undefined
  const epoch = origins.get(epochNumber)
  const nextEpoch = origins.get(epochNumber + 1n)
  if (!epoch || !nextEpoch) return undefined

  const timestamp = nextTimestamp({ config, parent })
  const isFirstOfEpoch = epochNumber > parent.l1Origin.number
  if (timestamp >= nextEpoch.timestamp && !isFirstOfEpoch) return 'next-epoch'
  return {
    parentHash: parent.hash,
    epochNumber,
    epochHash: epoch.hash,
    timestamp,
    transactions: [],
  }
}
