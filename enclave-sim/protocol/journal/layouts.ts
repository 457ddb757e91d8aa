import type { Journal } from './journal.ts'

export interface JournalField {
  field: keyof Journal
  /** Bytes of the field, or of one element of a list. */
  size: number
  kind: 'bytes' | 'number' | 'list'
}

/** Packed fields in order, big endian, without padding or length. */
export interface JournalLayout {
  name: string
  fields: JournalField[]
}

const bytes = (field: keyof Journal, size = 32): JournalField => ({ field, size, kind: 'bytes' })
const number = (field: keyof Journal, size: number): JournalField => ({
  field,
  size,
  kind: 'number',
})

const layout = (name: string, numberSize: number, last: JournalField[] = []): JournalLayout => ({
  name,
  fields: [
    bytes('proposer', 20),
    bytes('l1OriginHash'),
    bytes('prevOutputRoot'),
    number('startingL2Block', numberSize),
    bytes('outputRoot'),
    number('endingL2Block', numberSize),
    { field: 'intermediateRoots', size: 32, kind: 'list' },
    bytes('configHash'),
    bytes('teeImageHash'),
    ...last,
  ],
})

/** 196 + 32·N bytes: the layout of the specification (JRN-01..11). */
export const packedLayout = layout('packed', 8)

/** 228 + 32·N bytes: the same with the id of the schedule of upgrades behind it, since July 2026. */
const scheduleLayout = layout('schedule-id', 8, [bytes('scheduleId')])

/** The layout that a journal has to have by what it names: with a schedule, or without. */
export function layoutOf({ scheduleId }: Pick<Journal, 'scheduleId'>): JournalLayout {
  return scheduleId ? scheduleLayout : packedLayout
}

/**
 * Every layout Base has used, so that an auditor can name a journal made by another build.
 * Sources: base/base #1759 (244, before May 2026), #3965 and #4209 (228, from July 2026).
 */
export const journalLayouts: readonly JournalLayout[] = [
  packedLayout,
  layout('uint256-block-numbers', 32),
  scheduleLayout,
]

export interface ByteRange {
  /** Field name, with an index for an element of a list: `intermediateRoots[0]`. */
  field: string
  offset: number
  size: number
}

/** Bytes a journal takes without intermediate roots: 196, 244 or 228. */
export function baseSize({ fields }: JournalLayout): number {
  return fields.reduce((sum, { size, kind }) => sum + (kind === 'list' ? 0 : size), 0)
}

/**
 * Where every field of a journal with `rootCount` intermediate roots lies, in bytes from its start.
 * @example
 * import { deepEqual } from 'node:assert'
 * import { byteMap, journalLayouts } from 'rollbed/journal'
 * const [first] = byteMap(journalLayouts[0]!, 0)
 * deepEqual(first, { field: 'proposer', offset: 0, size: 20 })
 */
export function byteMap({ fields }: JournalLayout, rootCount: number): ByteRange[] {
  let offset = 0
  const place = (field: string, size: number): ByteRange => {
    offset += size
    return { field, offset: offset - size, size }
  }
  return fields.flatMap(({ field, size, kind }) =>
    kind === 'list'
      ? Array.from({ length: rootCount }, (_, index) => place(`${field}[${index}]`, size))
      : [place(field, size)],
  )
}
