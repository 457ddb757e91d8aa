import type { Journal } from '#protocol/journal/journal'
import { packedLayout } from '#protocol/journal/layouts'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { Departure } from './departure.ts'
import { identifyLayouts, isPlausibleBlock, type LayoutGuess } from './identify-layouts.ts'
import { KNOWN_SCHEDULES, type NamedSchedule, nameOfSchedule } from './known-schedules.ts'
import { departureOf, littleEndian, reversed } from './layout-departures.ts'
import type { Known, SignedClaim } from './signed-claim.ts'

/**
 * A journal as bytes, alone or with its signature.
 * @param schedules of the chain's upgrades, as far as somebody knows them: a journal may end with the id of one
 * @throws JournalInvalid when no known layout has this length
 */
export function readJournalBytes(
  bytes: Uint8Array,
  known: Known,
  signature?: Hex,
  schedules: readonly NamedSchedule[] = [],
): SignedClaim {
  const { interval, ...expected } = known
  const fields = Object.fromEntries(
    Object.entries(expected).filter(([, value]) => value !== undefined),
  ) as Partial<Journal>
  const [guess] = identifyLayouts(bytes, fields, interval)
  const swapped = inLittleEndian(guess!)
  const { scheduleId } = guess!.journal
  const schedule = scheduleId && namedSchedule(scheduleId, known.scheduleId, schedules)
  const layout = swapped ? littleEndian : schedule ? undefined : layoutIn(guess!, interval)
  return {
    name: 'journal',
    subject: 'journal',
    journal: swapped ?? guess!.journal,
    otherRoots: [],
    assumed: [],
    expected: fields,
    ...(interval && { interval }),
    ...(layout && { layout }),
    ...(schedule && { schedule: { ...schedule, others: [] } }),
    ...(signature && { signature }),
  }
}

/** One block, whose aggregate has a root by the formula: 1 / 1 (OPEN-53). */
const lonelyRoot: Departure = {
  part: 'roots',
  says: 'a range of one block with its own root as intermediate root',
  rules: ['JRN-15'],
  open: 'OPEN-53',
  apply: (reading) => reading,
}

function layoutIn(
  { layout, journal }: LayoutGuess,
  interval: bigint | undefined,
): Departure | undefined {
  const { startingL2Block, endingL2Block, intermediateRoots, outputRoot } = journal
  const isBlock = layout === packedLayout && endingL2Block - startingL2Block === 1n
  // Where the stride is known, its roots are counted.
  if (isBlock && interval === undefined && intermediateRoots[0] === outputRoot) return lonelyRoot
  return departureOf(layout)
}

/** A schedule id that somebody asks for, or that is known: then it is no guess, and no departure. */
function namedSchedule(
  id: Hash,
  asked: Hash | undefined,
  schedules: readonly NamedSchedule[],
): NamedSchedule | undefined {
  const known = nameOfSchedule(id, KNOWN_SCHEDULES)
  const says = nameOfSchedule(id, schedules) ?? (known && `Base mainnet's, ${known}`)
  if (says) return { id, says }
  return asked === id ? { id, says: 'as it was asked for' } : undefined
}

/** The journal with its numbers read the other way, where only that gives numbers of blocks (OPEN-54). */
function inLittleEndian({ layout, journal }: LayoutGuess): Journal | undefined {
  if (layout !== packedLayout || isPlausibleBlock(journal.endingL2Block)) return undefined
  const startingL2Block = reversed(journal.startingL2Block)
  const endingL2Block = reversed(journal.endingL2Block)
  const isRange = startingL2Block < endingL2Block && isPlausibleBlock(endingL2Block)
  return isRange ? { ...journal, startingL2Block, endingL2Block } : undefined
}
