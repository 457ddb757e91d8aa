import { keccak256 } from 'viem'
import type { Hash } from '../../enclave-sim/protocol/types/bytes.ts'
import type { RootsReading } from './signed-claim.ts'

/** Intervals tried when nobody tells the right one. */
const MAX_INTERVALS = 48

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
  const last = all.slice(-1)
  const shared = [
    reading('the root of every block', ['JRN-16'], [...all]),
    reading('no intermediate roots', ['JRN-15'], []),
    reading('its own output root as intermediate root', ['JRN-16'], last),
  ]
  if (!interval)
    return [
      ...Array.from({ length: Math.min(all.length, MAX_INTERVALS) }, (_, index) => {
        const guessed = BigInt(index + 1)
        const roots = everyNth(all, guessed, 0n)
        return reading(`intermediate roots at interval ${guessed}`, [], roots)
      }),
      ...shared,
    ]
  const sampled = sampledRoots(range)
  return [
    reading(
      'roots sampled at multiples of the interval',
      ['JRN-16'],
      everyNth(all, interval, start),
    ),
    reading('the last intermediate root left out', ['JRN-15'], sampled.slice(0, -1)),
    reading(
      'the last output root added to the intermediate ones',
      ['JRN-15'],
      [...sampled, ...last],
    ),
    reading('roots sampled one block early', ['JRN-16'], everyNth(all, interval, 1n)),
    ...shared,
    hashedTogether(sampled),
  ]
}

/** Other roots than those submitted to L1. */
export function submittedReadings(roots: readonly Hash[]): RootsReading[] {
  return [
    reading('no intermediate roots', ['JRN-15'], []),
    reading('the last intermediate root left out', ['JRN-15'], roots.slice(0, -1)),
    reading('its own output root as intermediate root', ['JRN-16'], roots.slice(-1)),
    hashedTogether(roots),
  ]
}

/** A block by itself has none (JRN-12). */
export function blockReadings(outputRoot: Hash): RootsReading[] {
  return [reading('its own output root as intermediate root', ['JRN-12'], [outputRoot])]
}

function hashedTogether(roots: readonly Hash[]): RootsReading {
  const together = keccak256(`0x${roots.map((root) => root.slice(2)).join('')}`)
  return reading('the intermediate roots hashed together', ['JRN-09'], [together])
}

function reading(says: string, rules: readonly string[], roots: Hash[]): RootsReading {
  return { says, rules, roots }
}

function everyNth(all: readonly Hash[], interval: bigint, offset: bigint): Hash[] {
  return all.filter((_, index) => (BigInt(index + 1) + offset) % interval === 0n)
}
