import {
  type FollowedPart,
  type FollowedWord,
  NOTHING,
  NOW,
  type Operand,
  valuePart,
} from './followed-word.ts'

/** More blocks than anybody waits for: 63 years of blocks of 2 s. */
const MOST = 10n ** 9n
const WORD = 2n ** 256n

/** What an opcode makes of two words, the first of which is the top of the stack. */
export type Arithmetic = (first: Operand, second: Operand) => FollowedWord

/** Of opcodes that take two words and give one; of others nothing is followed. */
export const ARITHMETIC: Readonly<Record<number, Arithmetic>> = {
  1: added,
  2: multiplied,
  3: subtracted,
  4: (first, second) => {
    const bits = bitsOf(second.value)
    return bits === undefined ? NOTHING : movedRight(first.followed, bits)
  },
  // SIGNEXTEND
  11: (_, second) => second.followed,
  22: (first, second) => masked(first, second),
  23: (first, second) => [...first.followed, ...second.followed],
  // SHL, SHR, SAR: the top of the stack says by how many bits.
  27: (first, second) => movedLeft(second.followed, first.value),
  28: (first, second) => movedRight(second.followed, first.value),
  29: (first, second) => movedRight(second.followed, first.value),
}

function added(first: Operand, second: Operand): FollowedWord {
  const [one, other] = [valuePart(first), valuePart(second)]
  if (one && other) return sum(one, other, second.value) ?? sum(other, one, first.value) ?? NOTHING
  if (one) return grown(one, signed(second.value))
  return other ? grown(other, signed(first.value)) : NOTHING
}

/** A block number and a span are a block number again. */
function sum(height: FollowedPart, span: FollowedPart, blocks: bigint): FollowedWord | undefined {
  if (height.kind === 'span' || span.kind !== 'span') return undefined
  return grown(height, signed(blocks))
}

function subtracted(first: Operand, second: Operand): FollowedWord {
  const [one, other] = [valuePart(first), valuePart(second)]
  if (one && other) return between(one, other)
  if (one && one.kind === 'height')
    return [{ ...one, kind: 'difference', plus: one.plus - signed(second.value) }]
  if (one) return grown(one, -signed(second.value))
  if (!other) return NOTHING
  // What is left of a count of blocks, or until a number that nobody followed.
  const plus = other.kind === 'span' ? signed(first.value) - other.plus : 0n
  return [{ ...other, kind: 'span', plus, added: 0n }]
}

function between(one: FollowedPart, other: FollowedPart): FollowedWord {
  if (one.kind === 'span' && other.kind !== 'span') return NOTHING
  const kind = other.kind === 'span' ? one.kind : 'span'
  return [{ ...one, kind, plus: one.plus - other.plus, added: 0n }]
}

/** By a power of 256 a value is moved to its place beside others, as the compiler did before Constantinople. */
function multiplied(first: Operand, second: Operand): FollowedWord {
  const [word, by] = first.followed.length > 0 ? [first, second] : [second, first]
  const bits = bitsOf(by.value)
  return bits === undefined ? NOTHING : movedLeft(word.followed, bits)
}

function masked(first: Operand, second: Operand): FollowedWord {
  const [word, mask] = first.followed.length > 0 ? [first, second] : [second, first]
  if (mask.followed.length > 0) return NOTHING
  return word.followed.filter(({ shift }) => (mask.value >> BigInt(shift)) & 1n)
}

function grown(part: FollowedPart, by: bigint): FollowedWord {
  if (by > MOST || by < -MOST) return NOTHING
  return [{ ...part, plus: part.plus + by, added: part.added + by }]
}

function movedLeft(word: FollowedWord, bits: bigint): FollowedWord {
  if (bits >= 256n) return NOTHING
  return moved(word, Number(bits))
}

function movedRight(word: FollowedWord, bits: bigint): FollowedWord {
  if (bits >= 256n) return NOTHING
  return moved(word, -Number(bits))
}

function moved(word: FollowedWord, bits: number): FollowedWord {
  return word
    .map((part) => ({ ...part, shift: part.shift + bits }))
    .filter(({ shift }) => shift >= 0 && shift < 256)
}

/** Of a power of 256 by how many bits it moves; undefined for others, and for one. */
export function bitsOf(value: bigint): bigint | undefined {
  const digits = value.toString(16)
  return /^1(00)+$/.test(digits) ? 4n * BigInt(digits.length - 1) : undefined
}

/** Compilers subtract by adding a negative number. */
const signed = (value: bigint) => (value >= WORD / 2n ? value - WORD : value)

/**
 * The count of blocks that a comparison is about; undefined where it only puts block numbers in order,
 * or has nothing to do with them.
 */
export function comparedBlocks(first: Operand, second: Operand): bigint | undefined {
  const [one, other] = [valuePart(first), valuePart(second)]
  if (one && other) return comparedParts(one, other)
  if (one) return comparedWith(one, first.value, second.value)
  return other && comparedWith(other, second.value, first.value)
}

function comparedParts(one: FollowedPart, other: FollowedPart): bigint | undefined {
  const areSpans = one.kind === 'span'
  if (areSpans !== (other.kind === 'span')) return undefined
  // A sum that is compared with what was added to tells an overflow.
  if (!areSpans && one.origin === other.origin) return undefined
  return some(one.plus - other.plus)
}

/** @param known what nobody followed: of the contract, or of its caller */
function comparedWith(
  { kind, plus, origin }: FollowedPart,
  value: bigint,
  known: bigint,
): bigint | undefined {
  if (kind === 'span') return some(known - plus)
  if (kind === 'difference') return some(known)
  // A number yet to come is a time; one that has been is a place in the chain.
  return origin === NOW && known > value ? some(known - value) : undefined
}

/** One block and none only tell an order. */
export function some(blocks: bigint): bigint | undefined {
  const count = blocks < 0n ? -blocks : blocks
  return count >= 2n && count <= MOST ? count : undefined
}
