import type { Journal } from '#protocol/journal/journal'
import { packedLayout } from '#protocol/journal/layouts'
import type { Hex } from '#protocol/types/bytes'
import { identifyLayouts, isPlausibleBlock, type LayoutGuess } from './identify-layouts.ts'
import { departureOf, littleEndian, reversed } from './layout-departures.ts'
import type { Known, SignedClaim } from './signed-claim.ts'

/**
 * A journal as bytes, alone or with its signature.
 * @throws JournalInvalid when no known layout has this length
 */
export function readJournalBytes(bytes: Uint8Array, known: Known, signature?: Hex): SignedClaim {
  const { interval, ...expected } = known
  const fields = Object.fromEntries(
    Object.entries(expected).filter(([, value]) => value !== undefined),
  ) as Partial<Journal>
  const [guess] = identifyLayouts(bytes, fields, interval)
  const swapped = inLittleEndian(guess!)
  const layout = swapped ? littleEndian : departureOf(guess!.layout)
  return {
    name: 'journal',
    subject: 'journal',
    journal: swapped ?? guess!.journal,
    otherRoots: [],
    assumed: [],
    expected: fields,
    ...(interval && { interval }),
    ...(layout && { layout }),
    ...(signature && { signature }),
  }
}

/** The journal with its numbers read the other way, where only that gives numbers of blocks (OPEN-54). */
function inLittleEndian({ layout, journal }: LayoutGuess): Journal | undefined {
  if (layout !== packedLayout || isPlausibleBlock(journal.endingL2Block)) return undefined
  const startingL2Block = reversed(journal.startingL2Block)
  const endingL2Block = reversed(journal.endingL2Block)
  const isRange = startingL2Block < endingL2Block && isPlausibleBlock(endingL2Block)
  return isRange ? { ...journal, startingL2Block, endingL2Block } : undefined
}
