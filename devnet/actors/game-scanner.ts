import type { PublicClient } from 'viem'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { max, min } from '#protocol/types/bigints'
import type { Address } from '#protocol/types/bytes'
import { lower } from './lower.ts'

export interface ScanOptions {
  factory: Address
  gameType: number
  /** Games before the newest that the first scan looks at. Default 1000. */
  lookback?: number
  /** New games one scan reads at most; the next goes on from there. Default 100. */
  batch?: number
}

/**
 * Finds games of a type in the order of their creation; the first scan starts `lookback` games before the
 * newest. Every call answers those that are new since the last, and again those that L1 may still replace:
 * after a reorganization another game may have the index.
 */
export function gameScanner(
  l1: PublicClient,
  { factory, gameType, lookback = 1000, batch = 100 }: ScanOptions,
): () => Promise<Address[]> {
  const at = { address: factory, abi: disputeGameFactoryAbi } as const
  const countAt = (blockTag: 'latest' | 'finalized') =>
    l1.readContract({ ...at, functionName: 'gameCount', blockTag })
  let next: bigint | undefined
  /** Games before this one were final when they were read. */
  let settled = 0n

  return async () => {
    const count = await countAt('latest')
    // Before the games are read: what becomes final meanwhile may be others than those that were read.
    // What L1 does not tell it may still replace: nodes keep few states.
    const final = await countAt('finalized').catch(() => 0n)
    const oldest = max(0n, count - BigInt(lookback))
    if (next === undefined || next > count) next = oldest
    if (settled > count) settled = oldest
    const found: Address[] = []
    const end = min(count, next + BigInt(batch))
    for (let index = max(oldest, settled); index < end; index += 1n) {
      const [type, , game] = await l1.readContract({
        ...at,
        functionName: 'gameAtIndex',
        args: [index],
      })
      if (type === gameType) found.push(lower(game))
    }
    settled = max(settled, min(end, final))
    next = end
    return found
  }
}
