import { z } from 'zod'
import { type Journal, JournalInvalid } from '#protocol/journal/journal'
import type { Hex } from '#protocol/types/bytes'

const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`))
    .transform((text) => text.toLowerCase() as Hex)
const hash = hex(32)
/** A JSON number, decimal digits, or 0x and hexadecimal digits. */
const number = z
  .union([z.int().nonnegative(), z.string().regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/)])
  .transform(BigInt)

const journalSchema = z.strictObject({
  proposer: hex(20),
  l1OriginHash: hash,
  prevOutputRoot: hash,
  startingL2Block: number,
  outputRoot: hash,
  endingL2Block: number,
  intermediateRoots: z.array(hash).default([]),
  configHash: hash,
  teeImageHash: hash,
  scheduleId: hash.optional(),
})

/**
 * A journal from JSON, whose members are named as in `Journal`; block numbers are JSON numbers, decimal
 * digits or hexadecimal.
 * @throws JournalInvalid
 * @example
 * import { equal } from 'node:assert'
 * import { journalFromJson, journalToJson } from 'rollbed/journal'
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
 * const json = JSON.stringify(journalToJson(journal))
 * equal(journalFromJson(JSON.parse(json)).endingL2Block, 20n)
 */
export function journalFromJson(json: unknown): Journal {
  const parsed = journalSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new JournalInvalid(`${issue?.path.join('.') || 'JSON'}: ${issue?.message}`)
  }
  const { scheduleId, ...journal } = parsed.data
  return { ...journal, ...(scheduleId && { scheduleId }) }
}

/**
 * A journal as JSON; block numbers are decimal strings, since they may exceed a JSON number.
 * @example
 * import { equal } from 'node:assert'
 * import { decodeJournal, journalToJson } from 'rollbed/journal'
 * equal(journalToJson(decodeJournal(new Uint8Array(196))).endingL2Block, '0')
 */
export function journalToJson(journal: Journal): Record<string, unknown> {
  return {
    ...journal,
    startingL2Block: journal.startingL2Block.toString(),
    endingL2Block: journal.endingL2Block.toString(),
  }
}
