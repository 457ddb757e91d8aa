import { keccak256 } from 'viem'
import type { Journal } from '#protocol/journal/journal'
import type { Hash } from '#protocol/types/bytes'
import { type RootsReading, ZERO_HASH } from './signed-claim.ts'

/** Intervals that are tried together with another departure, when nobody tells the right one. */
const MAX_INTERVALS = 48n
/** Intervals that are tried at all. */
const MAX_ALONE = 4096n

interface SampledRange {
  start: bigint
  /** Output roots of all its blocks, in order. */
  all: readonly Hash[]
  /** Unknown: every one that makes a difference is tried. */
  interval: bigint | undefined
}

/** JRN-16: every interval-th root, counted from the start of the range. */
export function sampledRoots({ all, interval }: SampledRange): Hash[] {
  return interval ? everyNth(all, interval, 0n) : []
}

/** Other roots than the specified ones that an aggregate journal may hold. */
export function aggregateReadings(range: SampledRange): RootsReading[] {
  const { all, interval, start } = range
  const end = start + BigInt(all.length)
  const last = all.slice(-1)
  const shared = [
    reading('the root of every block', ['JRN-16'], [...all]),
    reading('no intermediate roots', ['JRN-15'], []),
    reading('its own output root as intermediate root', ['JRN-16'], last),
  ]
  if (!interval) return [...intervalReadings(range), ...shared]
  const sampled = sampledRoots(range)
  const absolute = everyNth(all, interval, start)
  const isWhole = BigInt(all.length) % interval === 0n
  const closing = [...sampled, ...last]
  return [
    openReading('OPEN-50', 'roots sampled at multiples of the interval', ['JRN-16'], absolute),
    ...literalReadings({ start, end, interval }, absolute, sampled),
    // The last root is a sample of its own where the interval divides the range, and is not elsewhere.
    isWhole
      ? openReading('OPEN-51', LEFT_OUT, ['JRN-15'], sampled.slice(0, -1))
      : reading(LEFT_OUT, ['JRN-15'], sampled.slice(0, -1)),
    isWhole
      ? reading(CLOSED, ['JRN-15'], closing)
      : openReading('OPEN-50', CLOSED, ['JRN-15'], closing),
    reading('roots sampled one block early', ['JRN-16'], everyNth(all, interval, 1n)),
    ...shared,
    hashedTogether(sampled),
    ...intervalReadings(range),
  ]
}

/** Roots at another interval than the one that was given, or at any where none was. */
function intervalReadings({ all, interval }: SampledRange): RootsReading[] {
  const blocks = BigInt(all.length)
  const count = blocks < MAX_ALONE ? blocks : MAX_ALONE
  const others = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
  const right = interval && everyNth(all, interval, 0n)
  return others
    .filter((other) => other !== interval)
    .map((other): RootsReading => {
      const roots = everyNth(all, other, 0n)
      const isUsual = other <= MAX_INTERVALS || blocks % other === 0n
      const rules = right ? [...(right.length === roots.length ? [] : ['JRN-15']), 'JRN-16'] : []
      const says = `intermediate roots at interval ${other}${interval ? `, not ${interval}` : ''}`
      return {
        ...reading(says, rules, roots),
        interval: other,
        ...((interval || !isUsual) && { alone: true }),
      }
    })
}

const LEFT_OUT = 'the last intermediate root left out'
const CLOSED = 'the last output root added to the intermediate ones'

/** More roots than this no journal of a chain in use would have. */
const MAX_ROOTS = 4096n

/**
 * N as JRN-15 has it word by word, last block / interval, where that is another number than the blocks
 * of the range / interval (OPEN-50). Roots of blocks before the range are not to be had: zeros stand in
 * for them.
 * @param absolute roots of the range at multiples of the interval
 * @param sampled every interval-th root from the start of the range
 */
function literalReadings(
  { start, end, interval }: Range,
  absolute: readonly Hash[],
  sampled: readonly Hash[],
): RootsReading[] {
  const count = countsOfRoots({ start, end, interval }).literal
  if (count === BigInt(sampled.length) || count > MAX_ROOTS) return []
  const zeros = (roots: readonly Hash[]) =>
    Array.from({ length: Number(count) - roots.length }, () => ZERO_HASH)
  const before = [...zeros(absolute), ...absolute]
  const after = [...sampled, ...zeros(sampled)]
  return [
    openReading('OPEN-50', `${LITERAL}, zeros before the range`, ['JRN-15'], before),
    openReading('OPEN-50', `${LITERAL}, zeros after the range`, ['JRN-15'], after),
  ].filter(({ roots }) => BigInt(roots.length) === count)
}

const LITERAL = 'N as last block / interval, the words of JRN-15 (OPEN-50)'

interface Range {
  /** The block before the range. */
  start: bigint
  end: bigint
  interval: bigint
}

/** How many intermediate roots a journal has, in both readings of JRN-15 (OPEN-50). */
export function countsOfRoots(range: Range): {
  /** Blocks of the range / interval: what Base does, and what this project decided for. */
  chosen: bigint
  /** Last block / interval. */
  literal: bigint
} {
  const { start, end, interval } = range
  const blocks = end > start ? end - start : 0n
  // A block by itself has none (JRN-12, OPEN-53).
  if (blocks === 1n) return { chosen: 0n, literal: 0n }
  return { chosen: blocks / interval, literal: end / interval }
}

/** A count of roots that is not the chosen one, and that an open point allows. */
export function openCount(range: Range, count: bigint): { open: string; says: string } | undefined {
  const { start, end, interval } = range
  const { chosen, literal } = countsOfRoots(range)
  const blocks = end > start ? end - start : 0n
  const isWhole = blocks % interval === 0n
  if (blocks === 1n)
    return count === end / interval || (count === 1n && interval === 1n)
      ? { open: 'OPEN-53', says: 'a block by itself, with roots by the formula of an aggregate' }
      : undefined
  if (count === literal)
    return {
      open: 'OPEN-50',
      says: `last block ${end} / interval ${interval} is N = ${literal}, the words of the rule`,
    }
  if (count === literal - start / interval)
    return {
      open: 'OPEN-50',
      says: `${count} blocks of the range are multiples of the interval ${interval}`,
    }
  if (!isWhole && count === chosen + 1n)
    return { open: 'OPEN-50', says: `${CLOSED} makes N = ${count}` }
  return isWhole && count === chosen - 1n
    ? { open: 'OPEN-51', says: `${LEFT_OUT} makes N = ${count}` }
    : undefined
}

/** Other roots than those submitted to L1. */
export function submittedReadings(
  { intermediateRoots: roots, startingL2Block: start, endingL2Block: end }: Journal,
  interval: bigint | undefined,
): RootsReading[] {
  return [
    ...(interval ? literalReadings({ start, end, interval }, roots, roots) : []),
    reading('no intermediate roots', ['JRN-15'], []),
    reading(LEFT_OUT, ['JRN-15'], roots.slice(0, -1)),
    reading('its own output root as intermediate root', ['JRN-16'], roots.slice(-1)),
    hashedTogether(roots),
  ]
}

/** A block by itself has none (JRN-12). */
export function blockReadings(outputRoot: Hash): RootsReading[] {
  return [reading(OWN_ROOT, ['JRN-12'], [outputRoot])]
}

const OWN_ROOT = 'its own output root as intermediate root'

/** The aggregate of one block, by the formula of aggregates: N = 1 at interval 1. */
export function lonelyReadings(outputRoot: Hash, interval: bigint | undefined): RootsReading[] {
  if (interval !== undefined && interval !== 1n) return blockReadings(outputRoot)
  return [openReading('OPEN-53', OWN_ROOT, ['JRN-15'], [outputRoot])]
}

function hashedTogether(roots: readonly Hash[]): RootsReading {
  const together = keccak256(`0x${roots.map((root) => root.slice(2)).join('')}`)
  return reading('the intermediate roots hashed together', ['JRN-09'], [together])
}

function reading(says: string, rules: readonly string[], roots: Hash[]): RootsReading {
  return { says, rules, roots }
}

function openReading(
  open: string,
  says: string,
  rules: readonly string[],
  roots: Hash[],
): RootsReading {
  return { says, rules, roots, open }
}

function everyNth(all: readonly Hash[], interval: bigint, offset: bigint): Hash[] {
  return all.filter((_, index) => (BigInt(index + 1) + offset) % interval === 0n)
}
