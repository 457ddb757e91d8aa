import { decodeJournal } from '#protocol/journal/decode-journal'
import { type Journal, JournalInvalid } from '#protocol/journal/journal'
import { baseSize, type JournalLayout, journalLayouts } from '#protocol/journal/layouts'

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
 * @throws JournalInvalid when no known layout has this length
 */
export function identifyLayouts(bytes: Uint8Array, expected: Partial<Journal> = {}): LayoutGuess[] {
  const guesses = journalLayouts.flatMap((layout): LayoutGuess[] => {
    const rest = bytes.length - baseSize(layout)
    if (rest < 0 || rest % 32) return []
    const journal = decodeJournal(bytes, layout)
    return [{ layout, journal, score: plausibility(journal, expected) }]
  })
  if (guesses.length === 0) {
    const sizes = journalLayouts.map((layout) => `${baseSize(layout)} + 32·N`).join(', ')
    throw new JournalInvalid(`${bytes.length} bytes are no journal: known ones have ${sizes}`)
  }
  return guesses.sort((one, other) => other.score - one.score)
}

function plausibility(journal: Journal, expected: Partial<Journal>): number {
  const { startingL2Block: start, endingL2Block: end, intermediateRoots: roots } = journal
  const agreed = Object.entries(expected).filter(
    ([field, value]) => journal[field as keyof Journal] === value,
  )
  const blocks = end - start
  return [
    end < PLAUSIBLE_BLOCK,
    blocks > 0n,
    BigInt(roots.length) <= blocks,
    // A block by itself has no roots (JRN-12).
    blocks !== 1n || roots.length === 0,
    ...agreed.flatMap(() => [true, true]),
  ].filter(Boolean).length
}
