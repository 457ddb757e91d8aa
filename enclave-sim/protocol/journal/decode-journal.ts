import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { type Journal, JournalInvalid } from './journal.ts'
import { baseSize, type JournalLayout, packedLayout } from './layouts.ts'

/**
 * The inverse of `encodeJournal`. A journal does not name its layout: the length alone decides how
 * many intermediate roots there are.
 * @throws JournalInvalid unless the length is the layout's, plus a multiple of 32
 * @example
 * import { equal } from 'node:assert'
 * import { decodeJournal } from 'rollbed/journal'
 * const { proposer, intermediateRoots } = decodeJournal(new Uint8Array(196 + 2 * 32))
 * equal(proposer, `0x${'00'.repeat(20)}`)
 * equal(intermediateRoots.length, 2)
 */
export function decodeJournal(encoded: Uint8Array, layout: JournalLayout = packedLayout): Journal {
  const rootBytes = encoded.length - baseSize(layout)
  if (rootBytes < 0 || rootBytes % 32)
    throw new JournalInvalid(`${encoded.length} bytes are no ${layout.name} journal`)

  const journal: Record<string, unknown> = {}
  let offset = 0
  const take = (size: number) => {
    offset += size
    return encoded.subarray(offset - size, offset)
  }
  for (const { field, size, kind } of layout.fields) {
    if (kind === 'number') journal[field] = bytesToBigInt(take(size))
    else if (kind === 'bytes') journal[field] = bytesToHex(take(size))
    else journal[field] = Array.from({ length: rootBytes / size }, () => bytesToHex(take(size)))
  }
  return journal as unknown as Journal
}
