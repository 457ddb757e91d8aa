import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scenarioList } from './scenario-list.ts'

const project = join(import.meta.dirname, '../../..')

test('given the list, then it has all 57 scenarios, each once', () => {
  const ids = scenarioList.map(({ id }) => id).filter((id) => id !== '6b')
  expect(ids).toEqual(Array.from({ length: 57 }, (_, index) => String(index + 1)))
})

describe('given a scenario, then a test that plays it exists', () => {
  test.each(scenarioList)('given $id ($what), then its tests are there', ({ tests }) => {
    expect(tests).not.toEqual([])
    for (const [file, title] of tests)
      expect(readFileSync(join(project, file), 'utf8')).toContain(title)
  })
})
