import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scenarioList } from './scenario-list.ts'

const project = join(import.meta.dirname, '../..')

/** Numbers that the names of a file's tests begin with: `'given …'`. */
function numbersIn(file: string): Set<string> {
  const source = readFileSync(join(project, file), 'utf8')
  const names = source.matchAll(/(?:\(|\[|^\s+)['"`](\d{1,2}b?(?:, \d{1,2}b?)*): \w/gm)
  return new Set([...names].flatMap(([, numbers]) => numbers!.split(', ')))
}

test('the list has all 57 scenarios, each once', () => {
  const ids = scenarioList.map(({ id }) => id).filter((id) => id !== '6b')
  expect(ids).toEqual(Array.from({ length: 57 }, (_, index) => String(index + 1)))
})

describe('given a scenario, then a test of its number exists', () => {
  test.each(scenarioList)('$id: $what', ({ id, tests }) => {
    expect(tests).not.toEqual([])
    for (const file of tests) expect([file, ...numbersIn(file)]).toContain(id)
  })
})
