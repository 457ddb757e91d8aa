import { decodeJournal } from '#protocol/journal/decode-journal'
import { type Journal, JournalInvalid } from '#protocol/journal/journal'
import { baseSize, type JournalLayout, journalLayouts } from '#protocol/journal/layouts'
import { countsOfRoots, openCount } from './roots-readings.ts'

export interface LayoutGuess {
  layout: JournalLayout
  journal: Journal
  /** How many of the things one would expect of a journal hold. */
  score: number
}

/** L2 block numbers stay below this for as long as anyone will read them. */
const PLAUSIBLE_BLOCK = 1n << 40n

/**
 * The layouts that bytes of this length can have, likeliest first. A journal does not say its
 * layout, and 228 bytes are a packed one with a root as well as one with a schedule id.
 * @param expected field values known from elsewhere; they decide
 * @param interval stride of intermediate roots, where it is known: it tells how many there should be
 * @throws JournalInvalid when no known layout has this length
 */
export function identifyLayouts(
  bytes: Uint8Array,
  expected: Partial<Journal> = {},
  interval?: bigint,
): LayoutGuess[] {
  const guesses = journalLayouts.flatMap((layout): LayoutGuess[] => {
    const rest = bytes.length - baseSize(layout)
    if (rest < 0 || rest % 32) return []
    const journal = decodeJournal(bytes, layout)
    return [{ layout, journal, score: plausibility(journal, expected, interval) }]
  })
  if (guesses.length === 0) {
    const sizes = journalLayouts.map((layout) => `${baseSize(layout)} + 32·N`).join(', ')
    throw new JournalInvalid(`${bytes.length} bytes are no journal: known ones have ${sizes}`)
  }
  return guesses.sort((one, other) => other.score - one.score)
}

/** Whether anyone may come to read of this block. */
export function isPlausibleBlock(block: bigint): boolean {
  return block < PLAUSIBLE_BLOCK
}

/** Whether a journal over this range has so many roots, in any reading of how they are counted. */
function isCount(range: { start: bigint; end: bigint; interval: bigint }, count: bigint): boolean {
  return count === countsOfRoots(range).chosen || openCount(range, count) !== undefined
}

function plausibility(
  journal: Journal,
  expected: Partial<Journal>,
  interval: bigint | undefined,
): number {
  const { startingL2Block: start, endingL2Block: end, intermediateRoots: roots } = journal
  const { outputRoot, configHash } = journal
  const agreed = Object.entries(expected).filter(
    ([field, value]) => journal[field as keyof Journal] === value,
  )
  const blocks = end - start
  return [
    isPlausibleBlock(end),
    blocks > 0n,
    // A root at the end of a range is an intermediate one, and no hash of a configuration.
    configHash !== outputRoot,
    ...(interval
      ? [isCount({ start, end, interval }, BigInt(roots.length))]
      : // A block by itself has no roots (JRN-12).
        [BigInt(roots.length) <= blocks, blocks !== 1n || roots.length === 0]),
    ...agreed.flatMap(() => [true, true]),
  ].filter(Boolean).length
}
