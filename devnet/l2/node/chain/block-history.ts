import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'

/** The canonical sealed blocks of a chain, for good, wherever they are kept. */
export interface BlockHistory {
  /** The next block of the chain. @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed */
  append(block: Block): void
  /** Takes the blocks above this number out of the chain. Returns them, newest first. */
  removeAbove(number: bigint): Block[]
  byNumber(number: bigint): Block | undefined
  byHash(hash: Hash): Block | undefined
  /** The hash alone, without reading the block: BLOCKHASH asks for 256 of them. */
  hashOf(number: bigint): Hash | undefined
  findTransaction(hash: Hash): { block: Block; index: number } | undefined
  /**
   * The blocks from `first` to `last` whose bloom may hold what is looked for, in order. No block may
   * come or go before the last is taken.
   */
  withLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): Iterable<Block>
}
