import type { Block } from '#protocol/types/block'
import type { PendingBlock } from '../../chain-view.ts'

/** A block as readers see it: sealed, or one flashblock's snapshot of the block being built. */
export type ReadableBlock = Block | PendingBlock
