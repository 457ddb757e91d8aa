import type { Address, Hash } from '#protocol/types/bytes'

/** What cheats prescribe for blocks, in place of what L1 and the parent say. */
export interface BlockConditions {
  /** Of the next block only; milliseconds since 1970. */
  timestampMs?: bigint | undefined
  /** Of the next block only; wei. */
  baseFeePerGas?: bigint | undefined
  /** Of the next block only. */
  prevRandao?: Hash | undefined
  /** Seconds between blocks, from the next on. */
  timestampInterval?: bigint | undefined
  /** From the next block on. */
  feeRecipient?: Address | undefined
  /** From the next block on. */
  gasLimit?: bigint | undefined
}

/** What is left of them once the next block is sealed. */
export function lastingConditions(conditions: BlockConditions): BlockConditions {
  const { timestampInterval, feeRecipient, gasLimit } = conditions
  return { timestampInterval, feeRecipient, gasLimit }
}

/** Which rule of derivation they break, the times apart. */
export function conditionDivergence(conditions: BlockConditions): string | undefined {
  const { baseFeePerGas, prevRandao, feeRecipient, gasLimit } = conditions
  if (baseFeePerGas !== undefined) return 'base fee'
  if (prevRandao !== undefined) return 'prevRandao'
  if (feeRecipient !== undefined) return 'fee recipient'
  return gasLimit === undefined ? undefined : 'gas limit'
}
