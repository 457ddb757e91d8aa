import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import { encodeJournal } from '#protocol/journal/encode-journal'
import type { Journal } from '#protocol/journal/journal'
import {
  type ByteRange,
  byteMap,
  type JournalLayout,
  layoutOf,
  packedLayout,
} from '#protocol/journal/layouts'
import type { Hash } from '#protocol/types/bytes'
import type { NamedSchedule } from './known-schedules.ts'

/** One way in which a signature may have been made. */
export interface Reading {
  /** Name and size law of the layout. */
  layout: string
  journal: Journal
  encode(journal: Journal): EncodedJournal
  /** 32 bytes that were signed. */
  digest(encoded: Uint8Array): Uint8Array
  /** undefined when the bytes do not have this form. */
  split(signature: Uint8Array): SplitSignature | undefined
}

export interface EncodedJournal {
  bytes: Uint8Array
  map: ByteRange[]
}

export interface SplitSignature {
  /** r ‖ s */
  compact: Uint8Array
  /** As it stands: 0, 1, 27, 28 or worse. */
  v: number
}

const SPECIFIED_LAYOUT = 'packed, 196 + 32·N bytes'

/**
 * JRN-01 to JRN-11, SIG-01 to SIG-03.
 * @param schedule where the journal has to name one, which stands behind what the rules say
 */
export function specifiedReading(journal: Journal, schedule?: NamedSchedule): Reading {
  return {
    layout: schedule
      ? `packed, and the id of a schedule, 228 + 32·N bytes: ${schedule.says}`
      : SPECIFIED_LAYOUT,
    journal: schedule ? { ...journal, scheduleId: schedule.id } : journal,
    encode: encodeIn(schedule ? layoutOf({ scheduleId: schedule.id }) : packedLayout),
    digest: keccak256,
    split: (signature) =>
      signature.length === 65
        ? { compact: signature.subarray(0, 64), v: signature[64]! }
        : undefined,
  }
}

/** A journal of which only the hash is known: nothing but the signature can be read otherwise. */
export function digestReading(journal: Journal, digest: Hash): Reading {
  return {
    ...specifiedReading(journal),
    layout: 'unknown: only the hash is given',
    encode: () => ({ bytes: new Uint8Array(0), map: [] }),
    digest: () => hexToBytes(digest),
  }
}

/** Encodes in a layout made of fields. */
export function encodeIn(layout: JournalLayout): Reading['encode'] {
  return (journal) => ({
    bytes: encodeJournal(journal, layout),
    map: byteMap(layout, journal.intermediateRoots.length),
  })
}

/** 27 and 28 as 0 and 1; undefined for what is neither. */
export function recoveryId(v: number): 0 | 1 | undefined {
  if (v === 0 || v === 27) return 0
  return v === 1 || v === 28 ? 1 : undefined
}
