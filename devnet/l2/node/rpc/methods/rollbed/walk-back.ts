import type { Block } from '#protocol/types/block'
import { toQuantity } from '../../json/hex.ts'
import { onOneChain } from '../../selector/on-one-chain.ts'
import type { ShownChain } from '../../shown-chain.ts'

/** A page ends with the block in which it has so many. */
const PAGE_SIZE = 25
/** Blocks that one page reads at most: about a second of reading where they are on disk. */
const MOST_BLOCKS = 10_000n

export interface WalkedPage<T> {
  found: T[]
  /** Number to begin the next page before; null where the chain begins. */
  before: string | null
}

/**
 * One page of what stands in sealed blocks, newest first, as far back as one asks: blocks are read whole,
 * nothing is executed and nothing is kept.
 * @param before number of the block above the first one; undefined: the newest block is the first
 * @param pick what is looked for in one block, newest first
 */
export async function walkBack<T>(
  rpc: Pick<ShownChain, 'chain' | 'machine'>,
  before: bigint | undefined,
  signal: AbortSignal,
  pick: (block: Block) => T[],
): Promise<WalkedPage<T>> {
  return onOneChain(rpc, signal, async (pause) => {
    const newest = rpc.chain.latest().header.number
    const first = before === undefined || before > newest ? newest : before - 1n
    const found: T[] = []
    for (let at = first; at >= 0n; at--) {
      const isOver = found.length >= PAGE_SIZE || first - at >= MOST_BLOCKS
      if (isOver) return { found, before: toQuantity(at + 1n) }
      const block = rpc.chain.blockByNumber(at)
      // The chain of a fork begins later than at 0.
      if (!block) break
      found.push(...pick(block))
      await pause()
    }
    return { found, before: null }
  })
}
