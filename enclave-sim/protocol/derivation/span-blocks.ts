import type { L1BlockRef } from './batch-validity.ts'
import { spanStart, spanStartEpoch } from './check-span-batch.ts'
import type { SingularBatch } from './singular-batch.ts'
import type { SpanBatch } from './span-batch.ts'

/** A block of a span, complete but for its parent's hash. */
export type SpanBlockBatch = Omit<SingularBatch, 'parentHash'>

export interface SpanBlocksParameters {
  l2GenesisTime: bigint
  blockTime: bigint
  l1Block(number: bigint): L1BlockRef | undefined
}

/**
 * The blocks of a valid span, one at a time; those up to the safe head will be found to be past. One
 * whose L1 origin is not among the L1 blocks still in question gets an epoch hash that no block has,
 * and so is invalid.
 */
export function* spanBlocks(
  span: SpanBatch,
  { l2GenesisTime, blockTime, l1Block }: SpanBlocksParameters,
): Generator<SpanBlockBatch, void> {
  let timestamp = spanStart(span, l2GenesisTime)
  let epochNumber = spanStartEpoch(span)
  for (const [i, { originChanged, transactions }] of span.blocks.entries()) {
    if (i > 0) timestamp += blockTime
    if (i > 0 && originChanged) epochNumber++
    yield { epochNumber, epochHash: l1Block(epochNumber)?.hash ?? '0x', timestamp, transactions }
  }
}
