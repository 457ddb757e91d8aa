import type { Hex } from 'viem'

/** What a batch says of one L2 block. */
export interface BatchedBlock {
  /** Unix seconds. */
  time: number
  /** Number of its L1 origin. */
  epoch: number
  /** Hashes of the transactions of users, in order. */
  transactions: readonly Hex[]
}

/** One block, or a span of them, with what it says of the two chains that they are of. */
export interface Batched {
  isSpan: boolean
  /** The hash before the first block: all of it, or twenty bytes in a span. */
  parentCheck: Hex
  /** The last block's L1 origin, in the same way. */
  originCheck: Hex
  blocks: readonly BatchedBlock[]
}
