import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#protocol/clock/system-clock'

const counts = z.record(z.string(), z.number())
const schema = z.strictObject({
  /** What it is, such as "Ethereum's state tests, Prague". */
  body: z.string(),
  source: z.string(),
  version: z.string(),
  /** Of the run, as 2026-11-22. */
  date: z.string(),
  /** `executorDigest` of the run; null where the executor has no part in it. */
  executor: z.string().nullable(),
  /** What of ours it was held against. */
  against: z.string(),
  counts,
  /** Reason → how many; nothing of it counts as passed. */
  leftOut: counts,
})

/** One body of outside evidence, as a run of it left its counts. */
export type Evidence = z.infer<typeof schema>

const FOLDER = join(import.meta.dirname, '../../../fixtures/evidence')

/** Every record, by the name of its file. */
export function readEvidence(): Record<string, Evidence> {
  const files = readdirSync(FOLDER).toSorted()
  return Object.fromEntries(
    files.map((file) => [
      file.replace('.json', ''),
      schema.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
    ]),
  )
}

/**
 * Holds what a run found to its record in `fixtures/evidence`. With ROLLBED_RECORD=VERSION in the
 * environment the record is written instead, as one of that version of the source, today.
 */
export function holdEvidence(name: string, found: Omit<Evidence, 'version' | 'date'>): void {
  const { body, source, executor, ...rest } = found
  const version = process.env.ROLLBED_RECORD
  if (version === undefined) {
    const { version: _, date: __, executor: ___, ...recorded } = readEvidence()[name]!
    expect({ body, source, ...rest }).toEqual(recorded)
    return
  }
  // biome-ignore lint/style/noRestrictedGlobals: formats a moment the clock gave, reads none
  const date = new Date(systemClock.now()).toISOString().slice(0, 10)
  mkdirSync(FOLDER, { recursive: true })
  const text = JSON.stringify({ body, source, version, date, executor, ...rest }, null, 2)
  writeFileSync(join(FOLDER, `${name}.json`), `${text}\n`)
}
