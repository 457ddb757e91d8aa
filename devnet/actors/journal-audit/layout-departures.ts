import { concatBytes } from '@ethereumjs/util'
import { encodeAbiParameters } from 'viem'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { encodeJournal } from '#protocol/journal/encode-journal'
import type { Journal } from '#protocol/journal/journal'
import {
  type JournalField,
  type JournalLayout,
  journalLayouts,
  packedLayout,
} from '#protocol/journal/layouts'
import type { Hash } from '#protocol/types/bytes'
import type { Departure } from './departure.ts'
import { KNOWN_SCHEDULES, type NamedSchedule } from './known-schedules.ts'
import { encodeIn, type Reading } from './reading.ts'
import type { ClaimedSchedule } from './signed-claim.ts'

const [, wide, scheduled] = journalLayouts as [JournalLayout, JournalLayout, JournalLayout]

/** Layouts that Base has used. */
const wideWords = layout(
  'block numbers as 32-byte words, 244 + 32·N bytes (Base until May 2026, base/base#1759)',
  ['JRN-02', 'JRN-06', 'JRN-08'],
  encodeIn(wide),
)
const usedLayouts = new Map<JournalLayout, Departure>([
  [wide, wideWords],
  [
    scheduled,
    layout(
      'a schedule id at the end, 228 + 32·N bytes (Base from July 2026, base/base#4209)',
      ['JRN-02', 'JRN-11'],
      encodeIn(scheduled),
    ),
  ],
])

/** Packed says nothing about the order of the bytes of a number (OPEN-54). */
export const littleEndian: Departure = {
  part: 'layout',
  says: 'block numbers in little endian',
  rules: ['JRN-06', 'JRN-08'],
  open: 'OPEN-54',
  apply: (reading) => ({
    ...reading,
    layout: 'packed with block numbers in little endian',
    journal: {
      ...reading.journal,
      startingL2Block: reversed(reading.journal.startingL2Block),
      endingL2Block: reversed(reading.journal.endingL2Block),
    },
  }),
}

/** How a known layout departs from the specified one; undefined for that one. */
export function departureOf(known: JournalLayout): Departure | undefined {
  return usedLayouts.get(known)
}

/** Layouts that Base has used, then mistakes that are easily made. */
export const layoutDepartures: readonly Departure[] = [
  ...usedLayouts.values(),
  ...KNOWN_SCHEDULES.map(withSchedule),
  layout('ABI-encoded instead of packed', ['JRN-01', 'JRN-02'], encodeAbi),
  layout('a count before the intermediate roots', ['JRN-02', 'JRN-09'], encodeWithCount),
  reordered(
    'l1OriginHash and prevOutputRoot swapped',
    ['JRN-04', 'JRN-05'],
    ['l1OriginHash', 'prevOutputRoot'],
  ),
  reordered(
    'prevOutputRoot and outputRoot swapped',
    ['JRN-05', 'JRN-07'],
    ['prevOutputRoot', 'outputRoot'],
  ),
  reordered(
    'outputRoot and endingL2Block swapped',
    ['JRN-07', 'JRN-08'],
    ['outputRoot', 'endingL2Block'],
  ),
  reordered(
    'configHash and teeImageHash swapped',
    ['JRN-10', 'JRN-11'],
    ['configHash', 'teeImageHash'],
  ),
  reordered(
    'configHash before the intermediate roots',
    ['JRN-09', 'JRN-10'],
    ['intermediateRoots', 'configHash'],
  ),
  resized('block numbers in 4 bytes', ['JRN-02', 'JRN-06', 'JRN-08'], 'number', 4),
  {
    part: 'layout',
    says: 'proposer padded to 32 bytes',
    rules: ['JRN-02', 'JRN-03'],
    apply: (reading) => ({
      ...reading,
      layout: 'proposer padded to 32 bytes, 208 + 32·N bytes',
      journal: { ...reading.journal, proposer: padded(reading.journal.proposer) },
      encode: encodeIn(withFields((field) => ({ ...field, size: 32 }), 'proposer')),
    }),
  },
  littleEndian,
]

/** Where a schedule has to be named: the journals of other eras. */
export function scheduledDepartures({ others }: ClaimedSchedule): Departure[] {
  const rules = ['JRN-02', 'JRN-11']
  return [
    layout('no schedule id at the end, 196 + 32·N bytes', rules, encodeIn(packedLayout)),
    wideWords,
    ...[...others, ...KNOWN_SCHEDULES].map(({ id, says }) =>
      naming(id, `another schedule id at the end: ${says}`),
    ),
  ]
}

/** Nobody told the schedule id: Base mainnet's are known, and say of which era the journal is. */
function withSchedule({ id, says }: NamedSchedule): Departure {
  return naming(id, `a schedule id at the end, 228 + 32·N bytes: Base mainnet's, ${says}`)
}

function naming(id: Hash, says: string): Departure {
  const made = layout(says, ['JRN-02', 'JRN-11'], encodeIn(scheduled))
  return {
    ...made,
    apply(reading) {
      const { journal, ...applied } = made.apply(reading)
      return { ...applied, journal: { ...journal, scheduleId: id } }
    },
  }
}

function layout(says: string, rules: readonly string[], encode: Reading['encode']): Departure {
  return { part: 'layout', says, rules, apply: (reading) => ({ ...reading, layout: says, encode }) }
}

function reordered(
  says: string,
  rules: readonly string[],
  [one, other]: [keyof Journal, keyof Journal],
): Departure {
  const find = (name: keyof Journal) => packedLayout.fields.find(({ field }) => field === name)!
  const fields = packedLayout.fields.map((field) => {
    if (field.field === one) return find(other)
    return field.field === other ? find(one) : field
  })
  return layout(says, rules, encodeIn({ name: says, fields }))
}

function resized(
  says: string,
  rules: readonly string[],
  kind: JournalField['kind'],
  size: number,
): Departure {
  const fields = packedLayout.fields.map((field) =>
    field.kind === kind ? { ...field, size } : field,
  )
  return layout(says, rules, encodeIn({ name: says, fields }))
}

function withFields(
  change: (field: JournalField) => JournalField,
  name: keyof Journal,
): JournalLayout {
  const fields = packedLayout.fields.map((field) => (field.field === name ? change(field) : field))
  return { name, fields }
}

const ABI = [
  ['proposer', 'address'],
  ['l1OriginHash', 'bytes32'],
  ['prevOutputRoot', 'bytes32'],
  ['startingL2Block', 'uint64'],
  ['outputRoot', 'bytes32'],
  ['endingL2Block', 'uint64'],
  ['intermediateRoots', 'bytes32[]'],
  ['configHash', 'bytes32'],
  ['teeImageHash', 'bytes32'],
] as const

function encodeAbi(journal: Journal) {
  // Refuses what does not fit before viem does, with an error of its own.
  encodeJournal(journal)
  const types = ABI.map(([, type]) => ({ type }))
  const bytes = hexToBytes(
    encodeAbiParameters(
      types,
      ABI.map(([field]) => journal[field]),
    ),
  )
  const head = ABI.map(([field], index) => ({
    field: `${field} (word)`,
    offset: 32 * index,
    size: 32,
  }))
  const tail = Array.from({ length: journal.intermediateRoots.length + 1 }, (_, index) => ({
    field: index === 0 ? 'intermediateRoots count' : `intermediateRoots[${index - 1}]`,
    offset: 32 * (ABI.length + index),
    size: 32,
  }))
  return { bytes, map: [...head, ...tail] }
}

function encodeWithCount(journal: Journal) {
  const { bytes, map } = encodeIn(packedLayout)(journal)
  const at = map.find(({ field }) => field === 'endingL2Block')!.offset + 8
  const count = hexToBytes(`0x${journal.intermediateRoots.length.toString(16).padStart(64, '0')}`)
  return {
    bytes: concatBytes(bytes.subarray(0, at), count, bytes.subarray(at)),
    map: [
      ...map.filter(({ offset }) => offset < at),
      { field: 'intermediateRoots count', offset: at, size: 32 },
      ...map
        .filter(({ offset }) => offset >= at)
        .map((each) => ({ ...each, offset: each.offset + 32 })),
    ],
  }
}

const padded = (address: Journal['proposer']): Journal['proposer'] =>
  `0x${address.slice(2).padStart(64, '0')}`

/** Left alone when it does not fit, so that encoding refuses it. */
export function reversed(number: bigint): bigint {
  if (number < 0n || number >= 1n << 64n) return number
  return Buffer.from(number.toString(16).padStart(16, '0'), 'hex').readBigUInt64LE()
}
