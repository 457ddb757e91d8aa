import type { Hex } from '../wire/hex.ts'

/** How somebody reads what the intermediate roots are; `sampled` is the reading chosen here. */
export type RootReading =
  | 'sampled'
  | 'at multiples'
  | 'zeros before'
  | 'zeros after'
  | 'without the last'
  | 'closed by the last'

/** The range that an aggregate is about. */
export interface SampledRange {
  /** The block before the range. */
  start: number
  /** Output roots of all its blocks, in order. */
  roots: readonly Hex[]
  interval: number
}

/** Intermediate roots as the specification may be read, by what is read otherwise. */
export interface OpenRootReading {
  /** The same for every range. */
  name: RootReading
  open: string
  says: string
  roots: readonly Hex[]
}

const ZERO: Hex = `0x${'00'.repeat(32)}`
/** Longer lists of roots no prover in use would sign. */
const MAX_ROOTS = 4096

/**
 * The intermediate roots of an aggregate by every reading that OPEN-50 and OPEN-51 leave open, without
 * the one chosen here: a prover that follows one of them breaks no rule. Where N is last block /
 * interval, the words of JRN-15, it counts blocks before the range, whose roots a prover is not given:
 * zeros stand for them.
 */
export function openRootReadings({ start, roots, interval }: SampledRange): OpenRootReading[] {
  const end = start + roots.length
  const sampled = everyNth(roots, interval, 0)
  const absolute = everyNth(roots, interval, start)
  const isWhole = roots.length % interval === 0
  const count = Math.floor(end / interval)
  const literal = `N is last block ${end} / interval ${interval} = ${count}, the words of JRN-15`
  const zeros = Array<Hex>(count > MAX_ROOTS ? 0 : Math.max(0, count - absolute.length)).fill(ZERO)
  const zerosAfter = zeros.slice(0, Math.max(0, count - sampled.length))
  return [
    {
      name: 'at multiples',
      open: 'OPEN-50',
      says: 'roots are sampled at multiples of the interval',
      roots: absolute,
    },
    {
      name: 'zeros before',
      open: 'OPEN-50',
      says: `${literal}, zeros before the range`,
      roots: [...zeros, ...absolute],
    },
    {
      name: 'zeros after',
      open: 'OPEN-50',
      says: `${literal}, zeros after the range`,
      roots: [...sampled, ...zerosAfter],
    },
    isWhole
      ? {
          name: 'without the last',
          open: 'OPEN-51',
          says: 'the last intermediate root is left out',
          roots: sampled.slice(0, -1),
        }
      : {
          name: 'closed by the last',
          open: 'OPEN-50',
          says: 'the last output root closes the intermediate ones',
          roots: [...sampled, ...roots.slice(-1)],
        },
  ]
}

function everyNth(roots: readonly Hex[], interval: number, before: number): Hex[] {
  return roots.filter((_, index) => (before + index + 1) % interval === 0)
}
