import { RollbedError } from '../errors/rollbed-error.ts'
import type { ExecutedBlock } from '../proof/types.ts'
import type { Hash } from '../types/bytes.ts'

/** How many intermediate roots an aggregate over (start, end] has, by reading of JRN-15. */
export const samplingRules = {
  /** floor(blocks in the range / interval): what is built here and deployed (OPEN-50). */
  'blocks-in-range': (start: bigint, end: bigint, interval: bigint) => (end - start) / interval,
  /** The words of the specification; for an auditor to recognise. */
  'last-block-number': (_start: bigint, end: bigint, interval: bigint) => end / interval,
} as const

/**
 * The output roots at start + i·interval, in block order (JRN-16). A range of one block has none,
 * whatever the interval (OPEN-53); blocks beyond the last whole interval are left out.
 * @throws IntervalZero for an interval of zero with more than one block (OPEN-52)
 */
export function sampleRoots(blocks: readonly ExecutedBlock[], interval: bigint): Hash[] {
  if (blocks.length <= 1) return []
  if (interval === 0n) throw new IntervalZero()
  const count = samplingRules['blocks-in-range'](0n, BigInt(blocks.length), interval)
  return Array.from(
    { length: Number(count) },
    (_, index) => blocks[(index + 1) * Number(interval) - 1]!.outputRoot,
  )
}

export class IntervalZero extends RollbedError {
  constructor() {
    // Message as deployed enclaves word it (base/base nitro-enclave/src/server.rs).
    super('INTERVAL_ZERO', 'intermediate_block_interval must not be zero')
  }
}
