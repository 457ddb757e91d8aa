import type { Hash } from '../types/bytes.ts'
import { type BlockTimes, successorMs } from '../upgrades/block-times.ts'
import type { RollupConfig } from './rollup-config.ts'

/**
 * What becomes of a batch since Holocene: `past` is skipped alone, `drop` takes the rest of its span
 * and channel with it. OP specs, Holocene, "Batch Queue".
 */
export type BatchValidity = 'accept' | 'past' | 'drop'

export interface L1BlockRef {
  number: bigint
  hash: Hash
  /** Seconds. */
  timestamp: bigint
}

/** The safe head, on which the next batch must stand. */
export interface SafeHead {
  number: bigint
  hash: Hash
  timestamp: bigint
  l1Origin: { number: bigint; hash: Hash }
}

export interface BatchContext {
  config: BlockTimes & Pick<RollupConfig, 'maxSequencerDrift' | 'sequencerWindowSize'>
  parent: SafeHead
  /** L1 blocks from the current epoch up to the one that completed the batch, at least two. */
  epoch: L1BlockRef
  l1Block(number: bigint): L1BlockRef | undefined
  /** The L1 block that completed the batch. */
  inclusionNumber: bigint
}

/** Seconds of the block after the safe head; up to five blocks bear the same. */
export function nextTimestamp({ config, parent }: NextBlock): bigint {
  return successorMs(config, parent) / 1000n
}

interface NextBlock {
  config: BlockTimes
  parent: Pick<SafeHead, 'number' | 'timestamp'>
}

/** Whether an L1 origin was already too old when its batch was included. */
export function windowExpired(
  { config, inclusionNumber }: BatchContext,
  epochNumber: bigint,
): boolean {
  return epochNumber + BigInt(config.sequencerWindowSize) < inclusionNumber
}
