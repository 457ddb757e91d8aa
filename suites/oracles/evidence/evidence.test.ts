import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEvidence } from './evidence.ts'
import { executorDigest } from './executor-digest.ts'
import { isStale, staleEvidence } from './stale-evidence.ts'

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

/** Bodies in whose way no executor lies. */
const WITHOUT_EXECUTOR = ['attestations']

test('given a record of a body that runs on the executor, then it says on which', () => {
  for (const [name, { executor }] of Object.entries(readEvidence())) {
    expect(executor !== null, name).toBe(!WITHOUT_EXECUTOR.includes(name))
  }
})

// Most bodies are not on this machine, so this cannot fail; `npm run release` refuses, and the page of
// evidence, which a test compares, names each.
test('given an executor that has changed, then the bodies to be run again are named', (context) => {
  const stale = staleEvidence()
  if (stale.length === 0) return
  const sentence = `run on an earlier executor, to be run again before a release: ${stale.join(', ')}`
  process.stdout.write(`${sentence}\n`)
  context.skip(sentence)
})

test('given a record of this executor, of another, and of none, then only the second is to be made again', () => {
  const record = Object.values(readEvidence())[0]!
  const executors = [executorDigest(), '0123456789ab', null]
  expect(executors.map((executor) => isStale({ ...record, executor }))).toEqual([
    false,
    true,
    false,
  ])
})
