import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'

/** Reads at a block see another state than its own. */
export interface StatePatch {
  block: Block
  stateRoot: Hash
}

/** The canonical sealed blocks of a chain, for good, wherever they are kept. */
export interface BlockHistory {
  /** The next block of the chain. @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed */
  append(block: Block): void
  /**
   * Takes the blocks above this number out of the chain, at once with what reads see there from then on.
   * @returns them, newest first
   * @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed
   */
  removeAbove(number: bigint, patch?: StatePatch): Block[]
  /** Where it outlives the process. @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed */
  patch?(patch: StatePatch): void
  byNumber(number: bigint): Block | undefined
  byHash(hash: Hash): Block | undefined
  /** The hash alone, without reading the block: BLOCKHASH asks for 256 of them. */
  hashOf(number: bigint): Hash | undefined
  findTransaction(hash: Hash): { block: Block; index: number } | undefined
  /** Numbers of the blocks from `first` to `last` whose bloom may hold what is looked for, in order. */
  withLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[]
}
