/**
 * What a word of the EVM has of block numbers and their times: it came from NUMBER or TIMESTAMP, now or in
 * an earlier transaction.
 *
 * - `height`: a block number, and so many blocks more
 * - `span`: how many blocks lie between two block numbers, and so many more
 * - `difference`: a block number less a value that nobody followed: an older number, or a span
 * - `second`: the time of a block, as it is; with what is made of it by arithmetic it ends
 */
export interface FollowedPart {
  kind: 'height' | 'span' | 'difference' | 'second'
  /** Bits from the right end of the word, where it lies among other values. */
  shift: number
  /** Blocks. */
  plus: bigint
  /** Of `plus`, what this transaction added. */
  added: bigint
  /** Where the block number was read: `NOW`, or a slot. */
  origin: string
}

/** The parts of a word that are followed; none: nobody needs to look at it. */
export type FollowedWord = readonly FollowedPart[]

/** A word on the stack. */
export interface Operand {
  value: bigint
  followed: FollowedWord
}

/** The origin of what NUMBER has just answered. */
export const NOW = 'now'

export const NOTHING: FollowedWord = []

/** What NUMBER puts on the stack. */
export const BLOCK_NUMBER: FollowedWord = [
  { kind: 'height', shift: 0, plus: 0n, added: 0n, origin: NOW },
]

/** What TIMESTAMP puts on the stack. */
export const BLOCK_SECOND: FollowedWord = [
  { kind: 'second', shift: 0, plus: 0n, added: 0n, origin: NOW },
]

/** The part that is the value of the word and counts blocks, if nothing is packed beside it. */
export const valuePart = ({ followed }: Operand) =>
  followed.find(({ kind, shift }) => shift === 0 && kind !== 'second')

/** Whether a word is the time of a block. */
export const isSecond = (word: FollowedWord) =>
  word.some(({ kind, shift }) => shift === 0 && kind === 'second')

/**
 * The same word in a later transaction, read from where it was kept.
 * @param slot a name of the slot, the same for each read
 */
export function readFrom(slot: string, word: FollowedWord): FollowedWord {
  return word.map((part) => ({ ...part, added: 0n, origin: `${slot} ${part.shift}` }))
}
