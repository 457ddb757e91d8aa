import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEvidence } from './evidence.ts'

const SUITES = join(import.meta.dirname, '../..')

test('given a record, then a test that runs the evidence has written it, and something was found', () => {
  const tests = globSync('**/*.test.ts', { cwd: SUITES }).map((file) =>
    readFileSync(join(SUITES, file), 'utf8'),
  )
  const records = Object.entries(readEvidence())
  expect(records.length).toBeGreaterThan(2)
  for (const [name, { date, counts }] of records) {
    const isWritten = tests.some((text) => text.includes(`holdEvidence('${name}'`))
    expect(isWritten, name).toBe(true)
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(
      Object.values(counts).some((count) => count > 0),
      name,
    ).toBe(true)
  }
})
