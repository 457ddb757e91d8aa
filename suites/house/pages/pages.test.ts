import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { ROOT } from '../docs/source-tree.ts'
import { allFences, commandsOf } from './fences.ts'
import { PAGE_SESSIONS } from './page-sessions.ts'
import { PLAYED_ELSEWHERE } from './played-elsewhere.ts'

const SCRIPT = join(import.meta.dirname, 'play-session.ts')
const isNight = process.env.ROLLBED_PAGES === 'all'
const fences = allFences()
/** Those of every `--help`: suites/house/docs/named-things.test.ts reads their commands and flags. */
const HELP_EXAMPLES = /^commands-\d+$/

/** Each in a network of its own, where the printed ports are free. */
const IN_NETWORK = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const hasNetworks = (() => {
  try {
    execFileSync(IN_NETWORK[0]!, [...IN_NETWORK.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe('every block of code of every page', () => {
  test('given one, then somebody runs it: a session, a compiler, or who is named for it', () => {
    const inSessions = Object.values(PAGE_SESSIONS).flatMap((session) => session.fences)
    const claimed = (name: string) =>
      HELP_EXAMPLES.test(name) || [...inSessions, ...Object.keys(PLAYED_ELSEWHERE)].includes(name)
    // Those of TypeScript are compiled one and all by suites/house/package/package.test.ts.
    const unclaimed = fences.filter(({ name, language }) => language !== 'ts' && !claimed(name))
    expect(unclaimed.map(({ name }) => name)).toEqual([])
  })

  test('given a claim, then its block is there, and so is the test that it names', () => {
    const names = new Set(fences.map(({ name }) => name))
    const inSessions = Object.values(PAGE_SESSIONS).flatMap((session) => session.fences)
    expect(
      [...inSessions, ...Object.keys(PLAYED_ELSEWHERE)].filter((one) => !names.has(one)),
    ).toEqual([])
    const reasons = [
      ...Object.values(PLAYED_ELSEWHERE),
      ...Object.values(PAGE_SESSIONS).flatMap(({ without = {} }) => Object.values(without)),
    ]
    const files = reasons.flatMap(
      (reason) => reason.match(/(?:suites|reports)\/[\w./-]+\.ts/g) ?? [],
    )
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  test('given a console, then its commands are the lines behind a prompt, continued ones whole', () => {
    const text = '$ one \\\n  two\nsaid\n# three\n'
    expect(commandsOf({ name: '', language: 'console', text })).toEqual(['one   two', 'three'])
  })
})

describe(`commands that a page prints, in a fresh folder, drawn by ROLLBED_DRAW=${drawnBy}`, () => {
  const all = Object.entries(PAGE_SESSIONS)
  const quick = all.filter(([, { when }]) => when === 'change')
  const sessions = isNight ? all : drawShare(drawnBy, quick, 2 / 5)

  test.each(sessions)(
    'given %s, when it is typed again after a stop and after a kill, then each time what the page promises is so',
    async (name) => {
      const node = [process.execPath, '--disable-warning=ExperimentalWarning', SCRIPT, name]
      const [command, ...args] = hasNetworks ? [...IN_NETWORK, ...node] : [...node, '--own-ports']
      await promisify(execFile)(command!, args)
    },
  )
})
