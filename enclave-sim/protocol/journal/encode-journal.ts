import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Hex } from '../types/bytes.ts'
import { type Journal, JournalInvalid } from './journal.ts'
import { type JournalField, type JournalLayout, packedLayout } from './layouts.ts'

/**
 * The packed bytes whose keccak256 is signed: 196 + 32·N (JRN-01, JRN-02).
 * @param layout which fields stand where; another one is found in `journalLayouts`
 * @returns 196 bytes and 32 more for each intermediate root
 * @throws JournalInvalid when a field is missing or does not fit its bytes
 * @example
 * import { equal } from 'node:assert'
 * import { encodeJournal } from 'rollbed/journal'
 * const hash = `0x${'11'.repeat(32)}` as const
 * const journal = {
 *   proposer: `0x${'22'.repeat(20)}`, // 20 bytes; what follows, 32
 *   l1OriginHash: hash,
 *   prevOutputRoot: hash,
 *   startingL2Block: 10n,
 *   outputRoot: hash,
 *   endingL2Block: 20n,
 *   intermediateRoots: [hash],
 *   configHash: hash,
 *   teeImageHash: hash,
 * } as const
 * equal(encodeJournal(journal).length, 196 + 32)
 */
export function encodeJournal(journal: Journal, layout: JournalLayout = packedLayout): Uint8Array {
  return concatBytes(
    ...layout.fields.flatMap((field) => {
      const value = journal[field.field]
      if (value === undefined) throw new JournalInvalid(`${field.field} is missing`)
      if (typeof value === 'bigint') return [number(value, field)]
      return (typeof value === 'string' ? [value] : value).map((hex) => bytes(hex, field))
    }),
  )
}

function bytes(hex: Hex, { field, size }: JournalField): Uint8Array {
  const value = hexToBytes(hex)
  if (value.length !== size)
    throw new JournalInvalid(`${field} has ${value.length} bytes instead of ${size}`)
  return value
}

function number(value: bigint, { field, size }: JournalField): Uint8Array {
  if (value < 0n || value >= 1n << BigInt(8 * size))
    throw new JournalInvalid(`${field} ${value} does not fit in ${size} bytes`)
  return hexToBytes(`0x${value.toString(16).padStart(2 * size, '0')}`)
}
