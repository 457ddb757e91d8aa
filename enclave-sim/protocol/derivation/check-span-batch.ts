import { equalsBytes } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Hash } from '../types/bytes.ts'
import { rulesAt } from '../upgrades/schedule.ts'
import {
  type BatchContext,
  type BatchValidity,
  nextTimestamp,
  windowExpired,
} from './batch-validity.ts'
import type { SpanBatch } from './span-batch.ts'

/** What must be known of an L2 block to judge a span that starts behind the safe head. */
export interface L2Ancestor {
  hash: Hash
  l1OriginNumber: bigint
}

export interface SpanBatchContext extends BatchContext {
  /** Seconds. */
  l2GenesisTime: bigint
  /** A block of the safe chain; undefined where there is none. */
  ancestor(number: bigint): Promise<L2Ancestor | undefined>
}

/**
 * The rules for a span as a whole; its blocks are then judged one by one as singular batches.
 * Source: OP specs, Holocene "Span Batches", Delta "Span batches" (batch queue); base/base #4583, #4636.
 */
export async function checkSpanBatch(
  span: SpanBatch,
  context: SpanBatchContext,
): Promise<BatchValidity> {
  const next = nextTimestamp(context)
  const blockTime = BigInt(context.config.blockTime)
  const start = spanStart(span, context.l2GenesisTime)
  const end = start + blockTime * BigInt(span.blocks.length - 1)
  if (start > next) return 'drop'
  if (end < next) return 'past'
  // Denim: singular batches only. A span that crosses gives the blocks before.
  if (!rulesAt(context.config.upgrades, next * 1000n).allowsSpanBatches) return 'drop'
  if ((next - start) % blockTime !== 0n) return 'drop'

  const { parent } = context
  const parentNumber = parent.number - (next - start) / blockTime
  const parentBlock =
    parentNumber === parent.number
      ? { hash: parent.hash, l1OriginNumber: parent.l1Origin.number }
      : await context.ancestor(parentNumber)
  const startEpoch = spanStartEpoch(span)
  const endOrigin = context.l1Block(span.l1OriginNumber)
  const valid =
    parentBlock !== undefined &&
    matches(span.parentCheck, parentBlock.hash) &&
    !windowExpired(context, startEpoch) &&
    startEpoch <= parentBlock.l1OriginNumber + 1n &&
    endOrigin !== undefined &&
    matches(span.l1OriginCheck, endOrigin.hash) &&
    startEpoch >= parentBlock.l1OriginNumber
  return valid ? 'accept' : 'drop'
}

/** Timestamp of the first block; sums wrap as the protocol's 64-bit numbers do. */
export function spanStart({ relativeTimestamp }: SpanBatch, l2GenesisTime: bigint): bigint {
  return BigInt.asUintN(64, l2GenesisTime + relativeTimestamp)
}

/** L1 origin of the first block. */
export function spanStartEpoch({ l1OriginNumber, blocks }: SpanBatch): bigint {
  let changes = 0n
  for (let i = 1; i < blocks.length; i++) if (blocks[i]!.originChanged) changes++
  return BigInt.asUintN(64, l1OriginNumber - changes)
}

function matches(check: Uint8Array, hash: Hash): boolean {
  return equalsBytes(check, hexToBytes(hash).subarray(0, 20))
}
