import type { Hex } from 'viem'
import type { LoggedEvent } from '../checkers/checker.ts'
import { eventsOf, type L1BlockSeen } from './events-of.ts'

/** A block of L1, and when it was read, in milliseconds of the log. */
export type L1BlockRead = L1BlockSeen & { t: number }

/** All blocks of L1 that were ever read, of each branch. */
export class L1Tree {
  /** In the order in which they were read. */
  readonly blocks: readonly L1BlockRead[]
  /** Blocks that L1 took back, by hash, and when. */
  readonly removed: ReadonlyMap<Hex, number>
  readonly #byHash: ReadonlyMap<Hex, L1BlockRead>

  constructor(events: readonly LoggedEvent[]) {
    this.blocks = eventsOf(events, 'l1.block')
    this.#byHash = new Map(this.blocks.map((block) => [block.hash, block]))
    const reorgs = events.filter(({ who, what }) => who === 'l1' && what === 'reorg')
    this.removed = new Map(
      reorgs.flatMap(({ t, data }) => (data.removed as Hex[]).map((hash) => [hash, t] as const)),
    )
  }

  get(hash: Hex): L1BlockRead | undefined {
    return this.#byHash.get(hash)
  }

  /** The last blocks of each branch, that which was read last at the end. */
  tips(): L1BlockRead[] {
    const parents = new Set(this.blocks.map(({ parent }) => parent))
    return this.blocks.filter(({ hash }) => !parents.has(hash))
  }

  /** A block and those before it, oldest first, down to the first that was read. */
  chainTo(hash: Hex): L1BlockRead[] {
    const chain: L1BlockRead[] = []
    for (let block = this.get(hash); block; block = this.get(block.parent)) chain.unshift(block)
    return chain
  }

  /** Until when blocks came and went that nobody read. */
  get unreadUntil(): number {
    const unread = [...this.removed].filter(([hash]) => !this.#byHash.has(hash))
    return Math.max(-1, ...unread.map(([, t]) => t))
  }
}
