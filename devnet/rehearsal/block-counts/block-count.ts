import type { Address } from '#protocol/types/bytes'

/**
 * How a contract takes a count of blocks for a time.
 *
 * - `compared`: something is allowed, or over, so many blocks after something else
 * - `kept`: a block number and so many blocks more is written to storage
 * - `rate`: a count of blocks is multiplied, or something is shared out over it
 * - `period`: a block number or a count of blocks is divided into periods
 * - `hash`: the hash of a block so many blocks ago is asked for
 *
 * Or a time for a block:
 *
 * - `second`: the second of a block is the key of a mapping
 */
export type BlockCountKind = 'compared' | 'kept' | 'rate' | 'period' | 'hash' | 'second'

/** One use of a count of blocks, when it was executed. */
export interface BlockCountUse {
  kind: BlockCountKind
  /** Whose code it is. */
  address: Address
  pc: number
  /** Of the code that makes a contract. */
  isCreation: boolean
  /** The last jumps before it, newest first: compilers do arithmetic in functions of their own. */
  cameFrom: readonly number[]
  /** How many; undefined of a rate and of a second. */
  blocks: bigint | undefined
}

/** The same use, as often as it was executed. */
export interface MetBlockCount extends BlockCountUse {
  times: number
}
