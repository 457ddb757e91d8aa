import type { Journal } from '#protocol/journal/journal'
import type { Hex } from '#protocol/types/bytes'
import { identifyLayouts } from './identify-layouts.ts'
import { departureOf } from './layout-departures.ts'
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
  const [guess] = identifyLayouts(bytes, fields)
  const layout = departureOf(guess!.layout)
  return {
    name: 'journal',
    subject: 'journal',
    journal: guess!.journal,
    otherRoots: [],
    assumed: [],
    expected: fields,
    ...(interval && { interval }),
    ...(layout && { layout }),
    ...(signature && { signature }),
  }
}
