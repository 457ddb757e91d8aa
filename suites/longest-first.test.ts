import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONGEST } from './longest-first.ts'

test('given the files that are begun first, then each is there, once', () => {
  const root = join(import.meta.dirname, '..')
  expect(LONGEST.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(new Set(LONGEST).size).toBe(LONGEST.length)
})
