import {
  type BatchContext,
  type BatchValidity,
  type L1BlockRef,
  nextTimestamp,
  windowExpired,
} from './batch-validity.ts'
import type { SingularBatch } from './singular-batch.ts'

/** OP specs, Derivation "Batch Queue" with the changes of Fjord, Holocene and Isthmus. */
export function checkSingularBatch(batch: SingularBatch, context: BatchContext): BatchValidity {
  const next = nextTimestamp(context)
  if (batch.timestamp > next) return 'drop'
  if (batch.timestamp < next) return 'past'

  const origin = batchOrigin(batch, context)
  const valid =
    batch.parentHash === context.parent.hash &&
    !windowExpired(context, batch.epochNumber) &&
    origin !== undefined &&
    batch.epochHash === origin.hash &&
    batch.timestamp >= origin.timestamp &&
    keepsDrift(batch, origin, context) &&
    batch.transactions.every(mayStandInBatch)
  return valid ? 'accept' : 'drop'
}

/** The epoch of the safe head or the one after it. */
function batchOrigin(
  { epochNumber }: SingularBatch,
  context: BatchContext,
): L1BlockRef | undefined {
  const ahead = epochNumber - context.epoch.number
  return ahead === 0n || ahead === 1n ? context.l1Block(epochNumber) : undefined
}

/**
 * Too far ahead of L1 a sequencer may only build empty blocks, and may stay in its epoch only while
 * the next L1 block is still to come.
 */
function keepsDrift(batch: SingularBatch, origin: L1BlockRef, context: BatchContext): boolean {
  if (batch.timestamp <= origin.timestamp + BigInt(context.config.maxSequencerDrift)) return true
  if (batch.transactions.length > 0) return false
  if (origin.number > context.epoch.number) return true
  const nextOrigin = context.l1Block(origin.number + 1n)
  return nextOrigin !== undefined && batch.timestamp < nextOrigin.timestamp
}

/** Neither empty, nor a deposit, nor of a type that L2 does not have. */
function mayStandInBatch(transaction: Uint8Array): boolean {
  const first = transaction[0]
  return first !== undefined && (first >= 0xc0 || first === 1 || first === 2 || first === 4)
}
