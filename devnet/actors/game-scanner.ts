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
}

/** New games one scan reads at most; the next goes on from there. */
const BATCH = 100

/**
 * Finds games of a type in the order of their creation; the first scan starts `lookback` games before the
 * newest. Every call answers those that are new since the last, and again those that L1 may still replace:
 * after a reorganization another game may have the index.
 */
export function gameScanner(
  l1: PublicClient,
  { factory, gameType, lookback = 1000 }: ScanOptions,
): () => Promise<Address[]> {
  const at = { address: factory, abi: disputeGameFactoryAbi } as const
  let next: bigint | undefined
  /** How many games there were at which block of L1; oldest first, the first alone is final. */
  let counts: { games: bigint; l1Number: bigint }[] = []

  /** Games that L1 cannot replace any more. */
  async function countFinal(): Promise<bigint> {
    const { number } = await l1.getBlock({ blockTag: 'finalized' })
    const newest = counts.findLastIndex(({ l1Number }) => l1Number <= number)
    if (newest > 0) counts = counts.slice(newest)
    return newest < 0 ? 0n : counts[0]!.games
  }

  return async () => {
    const count = await l1.readContract({ ...at, functionName: 'gameCount' })
    const { number: l1Number } = await l1.getBlock({ blockTag: 'latest' })
    const oldest = max(0n, count - BigInt(lookback))
    if (next === undefined || next > count) next = oldest
    const final = await countFinal()
    const found: Address[] = []
    const end = min(count, next + BigInt(BATCH))
    for (let index = max(oldest, min(next, final)); index < end; index += 1n) {
      const [type, , game] = await l1.readContract({
        ...at,
        functionName: 'gameAtIndex',
        args: [index],
      })
      if (type === gameType) found.push(lower(game))
    }
    if (end !== counts.at(-1)?.games) {
      const kept = counts.filter(({ games }) => oldest < games && games < end)
      counts = [...kept, { games: end, l1Number }]
    }
    next = end
    return found
  }
}
