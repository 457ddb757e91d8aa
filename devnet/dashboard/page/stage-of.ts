import type { TransactionJson } from './json-types.ts'
import type { LiveState } from './live.ts'

/** How far an executed transaction is on its way to L1. */
export function stageOf(
  { blockHash, blockNumber }: Pick<TransactionJson, 'blockHash' | 'blockNumber'>,
  { latest, safe, finalized }: Pick<LiveState, 'latest' | 'safe' | 'finalized'>,
): 'pre-confirmed' | 'sealed' | 'safe' | 'finalized' {
  const number = blockNumber === null ? undefined : Number(blockNumber)
  if (blockHash === null || number === undefined || number > latest) return 'pre-confirmed'
  if (number <= finalized) return 'finalized'
  return number <= safe ? 'safe' : 'sealed'
}
