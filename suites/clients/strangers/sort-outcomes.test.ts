import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type KnownFailure, sortOutcomes } from './sort-outcomes.ts'

const fail = (title: string, message: string) => ({ title, message, state: 'fail' }) as const

test('given outcomes and a list of known failures, then each failure has its first reason, and the others are unknown', () => {
  const sorted = sortOutcomes(
    [
      { title: 'a', state: 'pass' },
      { title: 'b', state: 'pending' },
      fail('c', 'expected 2 to equal 1'),
      fail('d', 'expected 2 to equal 1'),
      fail('e slow', 'late'),
      fail('f', 'late'),
    ],
    [
      { reason: 'slow', title: 'slow$', error: 'late' },
      { reason: 'one', error: '2 to equal 1' },
      { reason: 'never', error: '2 to equal 1' },
    ],
  )
  expect(sorted).toMatchObject({
    passed: 1,
    byReason: [
      { reason: 'one', count: 2 },
      { reason: 'slow', count: 1 },
    ],
    unknown: [{ title: 'f' }],
  })
  expect(sorted.failed).toHaveLength(4)
})

test("given the list of OpenZeppelin's, then each entry has a reason, and words that are regular expressions", () => {
  const known: KnownFailure[] = parse(
    readFileSync(join(import.meta.dirname, 'openzeppelin.yaml'), 'utf8'),
  )
  expect(known.length).toBeGreaterThan(0)
  for (const { reason, error, title } of known) {
    expect(reason).toMatch(/\.$/)
    expect(error ?? title).toBeDefined()
    for (const words of [error, title]) if (words !== undefined) new RegExp(words)
  }
})
