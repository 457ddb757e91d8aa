import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FaultPlanInput, parseFaultPlan } from '#devnet/faults/fault-plan'
import { Corpus } from './corpus.ts'
import { readCorpus, writeCorpus } from './corpus-files.ts'
import { describeCorpus } from './describe-corpus.ts'
import type { Failure } from './failure.ts'
import { toCorpusHtml } from './to-corpus-html.ts'

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`
const opened = (failures: readonly Failure[], build: string, day: number) =>
  new Corpus({ failures, build, body: 'simulated', now: () => at(day) })
const planOf = (...targets: string[]) =>
  parseFaultPlan({
    duration: 500,
    faults: targets.map((target) => ({ at: 1, target, fault: 'kill' })) as NonNullable<
      FaultPlanInput['faults']
    >,
  })
const broken = (problem: string, checker = 'codes-last') => [{ checker, problem, t: 5 }]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corpus-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a corpus', () => {
  test('given two runs that break the same at other numbers, then they are one failure; elsewhere or otherwise it is another', () => {
    const corpus = opened([], 'one', 1)
    const first = corpus.add(planOf('process:api'), broken('Code 0xab of block 7 is gone.'))
    const same = corpus.add(planOf('process:api'), broken('Code 0xCD of block 12 is gone.'))
    const elsewhere = corpus.add(planOf('process:node'), broken('Code 0xab of block 7 is gone.'))
    const otherwise = corpus.add(planOf('process:api'), broken('Code 0xab of block 7 is new.'))
    expect(same.key).toBe(first.key)
    expect(new Set([first, elsewhere, otherwise].map(({ key }) => key)).size).toBe(3)
    expect(corpus.failures.length).toBe(3)
  })

  test('given a run with more faults than a known failure takes, then it meets that one, and with fewer it does not', () => {
    const corpus = opened([], 'one', 1)
    const { key } = corpus.add(planOf('process:api'), broken('Code 7 is gone.'))
    const met = corpus.meets(planOf('process:node', 'process:api'), broken('Code 9 is gone.'))
    expect(met?.key).toBe(key)
    expect(corpus.meets(planOf('process:node'), broken('Code 9 is gone.'))).toBeUndefined()
    expect(corpus.meets(planOf('process:api'), broken('Code 9 is new.'))).toBeUndefined()
  })

  test('given shards, then each failure is played in one of them, whatever else is known', () => {
    const corpus = opened([], 'one', 1)
    for (const name of 'abcdefgh') corpus.add(planOf(), broken(`It is ${name}.`))
    const parts = [0, 1, 2].map((index) => corpus.toPlay({ index, of: 3 }))
    expect(parts.flat().length).toBe(8)
    expect(new Set(parts.flat().map(({ key }) => key)).size).toBe(8)
    const fewer = opened(corpus.failures.slice(0, 4), 'one', 1)
    const [first] = parts[0]!.filter(({ key }) => fewer.failures.some((each) => each.key === key))
    expect(fewer.toPlay({ index: 0, of: 3 }).map(({ key }) => key)).toContain(first?.key)
  })

  test('given a failure that holds on a later build, then the page says since when, and by whom it was mended', () => {
    const first = opened([], 'aaaaaaa', 1)
    const failure = first.add(planOf(), broken('<It> is gone.'))
    const second = opened(first.failures, 'bbbbbbb', 2)
    expect(second.playedAgain(failure, broken('It is 9.'))).toBe(true)
    const third = opened(second.failures, 'ccccccc', 3)
    expect(third.playedAgain(failure, broken('Something else.', 'works-again'))).toBe(false)
    const asked: string[][] = []
    const described = describeCorpus(third.failures, (...builds) => {
      asked.push(builds)
      return ['ccccccc Ann: mends it']
    })
    expect(asked).toEqual([['bbbbbbb', 'ccccccc']])
    expect(described).toMatchObject({ broken: 0, mended: 1 })
    expect(described.failures).toMatchObject([
      {
        since: { build: 'aaaaaaa', at: at(1) },
        last: { build: 'bbbbbbb', at: at(2) },
        mended: { build: 'ccccccc', at: at(3), by: ['ccccccc Ann: mends it'] },
        again: expect.stringContaining("rollbed fault run --plan '{"),
      },
    ])
    const page = toCorpusHtml(described)
    expect(page).toContain('&lt;It&gt; is gone.')
    expect(page).toContain('by ccccccc Ann: mends it')
    // And it may break again.
    const fourth = opened(third.failures, 'ddddddd', 4)
    expect(fourth.playedAgain(failure, broken('It is gone.'))).toBe(true)
    expect(describeCorpus(fourth.failures, () => undefined)).toMatchObject({ broken: 1, mended: 0 })
  })
})

describe('the folder of a corpus', () => {
  test('given the files of two parts, then they are read as one, and what is no corpus is refused by name', () => {
    expect(readCorpus(join(folder, 'none'))).toEqual([])
    const [one, two] = ['one', 'two'].map((name, index) => {
      const corpus = opened([], name, index + 1)
      corpus.add(planOf(), broken(`It is ${name}.`))
      corpus.add(planOf(), broken('It is gone.'))
      return corpus.failures
    })
    writeCorpus(folder, two!, { index: 1, of: 2 })
    writeCorpus(folder, one!, { index: 0, of: 2 })
    const read = readCorpus(folder)
    expect(read.map(({ problem }) => problem)).toEqual(
      expect.arrayContaining(['It is one.', 'It is gone.', 'It is two.']),
    )
    expect(read.at(-1)?.problem).toBe('It is two.')
    writeCorpus(folder, read)
    expect(readCorpus(folder)).toEqual(read)
    expect(readdirSync(folder).sort()).toEqual([
      'failures.0-of-2.json',
      'failures.1-of-2.json',
      'failures.json',
    ])
    const path = join(folder, 'failures.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"broke": true', '"broke": 1'))
    expect(() => readCorpus(folder)).toThrow(
      expect.objectContaining({
        name: 'NotACorpus',
        message: expect.stringMatching(/failures\.json holds no .*failures\.0\.plays/),
      }),
    )
  })
})
