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

/** Games one scan reads at most; the next goes on from there. */
const BATCH = 100

/**
 * Finds games of a type in the order of their creation. Every call answers those that are new since
 * the last; the first one starts `lookback` games before the newest.
 */
export function gameScanner(
  l1: PublicClient,
  { factory, gameType, lookback = 1000 }: ScanOptions,
): () => Promise<Address[]> {
  const at = { address: factory, abi: disputeGameFactoryAbi } as const
  let next: bigint | undefined

  return async () => {
    const count = await l1.readContract({ ...at, functionName: 'gameCount' })
    // A reorganisation of L1 may have taken games away, and others their indices.
    if (next === undefined || next > count) next = max(0n, count - BigInt(lookback))
    const found: Address[] = []
    const end = min(count, next + BigInt(BATCH))
    for (let index = next; index < end; index += 1n) {
      const [type, , game] = await l1.readContract({
        ...at,
        functionName: 'gameAtIndex',
        args: [index],
      })
      if (type === gameType) found.push(lower(game))
    }
    next = end
    return found
  }
}
