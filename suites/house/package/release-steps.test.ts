import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../docs/source-tree.ts'
import { chooseSteps, playSteps, RELEASE_STEPS, type ReleaseStep } from './release-steps.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const namesOf = (steps: readonly ReleaseStep[]) => steps.map(({ name }) => name)
const all = namesOf(RELEASE_STEPS)

/** The part of CONTRIBUTING that says what a release runs. */
const said = /^- \*\*A release\*\*.*$/m.exec(read('CONTRIBUTING.md'))?.[0] ?? ''

describe('the steps of a release', () => {
  test('given the plan, then publishing is the last, and no step stands twice', () => {
    expect(all.at(-1)).toBe('publish')
    expect(new Set(all).size).toBe(all.length)
  })

  test('given what CONTRIBUTING says that a release runs, then the plan runs each, and no other', () => {
    const commands = [...said.matchAll(/`npm (?:run )?([^`]+)`/g)].map(([, command]) => command!)
    const planned = RELEASE_STEPS.slice(0, -1).map(({ npm }) =>
      npm.filter((word) => word !== 'run').join(' '),
    )
    expect(commands.filter((command) => !command.startsWith('release')).sort()).toEqual(
      planned.sort(),
    )
  })

  test('given a step that runs a script, then package.json has it', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = RELEASE_STEPS.filter(({ npm }) => npm[0] === 'run').map(({ npm }) => npm[1]!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('given the workflow of a release, then it runs each step, and publishes after them all', () => {
    const { jobs } = parse(read('.github/workflows/release.yml'))
    expect([...jobs.show.strategy.matrix.step].sort()).toEqual(all.slice(0, -1).sort())
    expect(jobs.publish.needs).toBe('show')
    expect(jobs.publish.steps.at(-1).run).toBe('npm run release -- --only publish')
  })
})

describe('a part of a release', () => {
  test.each([
    [{}, all],
    [{ only: ['mutants', 'torn'] }, ['torn', 'mutants']],
    [{ from: 'shapes' }, ['shapes', 'stryker', 'publish']],
    [{ from: 'shapes', only: ['torn', 'publish'] }, ['publish']],
  ])('given %j, then these steps in the order of a release', (asked, names) => {
    expect(namesOf(chooseSteps(asked))).toEqual(names)
  })

  test.each([{ only: ['mutant'] }, { from: 'publsh' }])(
    'given %j, then the steps that there are are named',
    (asked) => {
      expect(() => chooseSteps(asked)).toThrow(/no step '.+': there are test, lanes, .*publish\./)
    },
  )
})

describe('a run of steps', () => {
  const steps = chooseSteps({ only: ['test', 'torn', 'publish'] })
  const play = (failing?: string) => {
    const lines: string[] = []
    const run: string[] = []
    let time = 0
    const hasPassed = playSteps(steps, {
      run: ({ name }) => {
        run.push(name)
        time += 2_000
        return name !== failing
      },
      say: (line) => lines.push(line),
      now: () => time,
    })
    return { hasPassed, run, lines }
  }

  test('given all that pass, then each is said before and after it', () => {
    const { hasPassed, run, lines } = play()
    expect(hasPassed).toBe(true)
    expect(run).toEqual(['test', 'torn', 'publish'])
    expect(lines.slice(0, 2)).toEqual([
      '[1/3] test: types, lint and all tests',
      '[1/3] test: passed after 2 s',
    ])
  })

  test('given one that fails, then nothing after it runs, and how to go on is said', () => {
    const { hasPassed, run, lines } = play('torn')
    expect(hasPassed).toBe(false)
    expect(run).toEqual(['test', 'torn'])
    expect(lines.slice(-2)).toEqual([
      '[2/3] torn: FAILED after 2 s',
      'When it is mended: npm run release -- --from torn',
    ])
  })
})
