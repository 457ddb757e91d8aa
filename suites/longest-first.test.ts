import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import seed from './longest-first.json' with { type: 'json' }
import { LongestFirst } from './longest-first.ts'

const root = join(import.meta.dirname, '..')
const [longest = '', second = ''] = Object.keys(seed)

/** The order of these files where vitest remembers this of them. */
async function orderOf(
  files: readonly string[],
  remembered: Record<string, { failed: boolean; duration: number }>,
): Promise<string[]> {
  const project = { name: 'all', config: { root, isolate: false, sequence: { groupOrder: 0 } } }
  const specs = files.map((file) => ({ project, moduleId: join(root, file) }))
  const nameOf = (moduleId: string) => moduleId.slice(root.length + 1)
  const cache = {
    getTestSpecificationResult: ({ moduleId }: TestSpecification) => remembered[nameOf(moduleId)],
  }
  const sequencer = new LongestFirst({ cache } as unknown as Vitest)
  const sorted = await sequencer.sort(specs as unknown as TestSpecification[])
  return sorted.map(({ moduleId }) => nameOf(moduleId))
}

test('given the files that take longest, then each is there, the longest first', () => {
  expect(Object.keys(seed).filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(Object.values(seed)).toEqual(Object.values(seed).toSorted((a, b) => b - a))
})

test('given a bare machine, then the longest is begun first, and what nobody knows last', async () => {
  const files = ['suites/longest-first.test.ts', second, longest]
  expect(await orderOf(files, {})).toEqual(files.toReversed())
})

test('given a run that is remembered, then it is believed, and what failed comes first', async () => {
  const files = [longest, second, 'suites/longest-first.test.ts']
  const quick = { failed: false, duration: 10 }
  const remembered = {
    [longest]: quick,
    'suites/longest-first.test.ts': { ...quick, failed: true },
  }
  expect(await orderOf(files, remembered)).toEqual([
    'suites/longest-first.test.ts',
    second,
    longest,
  ])
})
