import { millisPart, timestampMs } from '#protocol/derivation/base-time'
import { isSealed } from '../../chain-view.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import { toQuantity } from './hex.ts'

/**
 * The time of a sealed block that tells its milliseconds, as a quantity; undefined for any other: one
 * from before Denim, a genesis block, one that is being built.
 * Source: base/docs, denim/200ms-blocks ("omitted when the value cannot be told").
 */
export function millisecondsOf(block: ReadableBlock): string | undefined {
  if (!isSealed(block) || millisPart(block.transactions) === undefined) return undefined
  return toQuantity(timestampMs(block))
}

/** `timestampMs` of a block or header, where there is one. */
export function blockMillisecondsJson(block: ReadableBlock): { timestampMs?: string } {
  const timestampMs = millisecondsOf(block)
  return timestampMs === undefined ? {} : { timestampMs }
}

/** `blockTimestampMs` of what stands in a block: a transaction or a log. */
export function placeMillisecondsJson(block: ReadableBlock): { blockTimestampMs?: string } {
  const blockTimestampMs = millisecondsOf(block)
  return blockTimestampMs === undefined ? {} : { blockTimestampMs }
}
