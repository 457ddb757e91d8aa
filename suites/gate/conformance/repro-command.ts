import type { ConformanceCase, Profile } from './conformance-case.ts'
import { PRIVATE_KEY_DRIVER } from './drivers/create-private-key-driver.ts'
import type { Driver } from './drivers/driver.ts'
import { type Draw, USUAL_DRAW } from './payloads/effort.ts'
import { CALLER_TARGETS, COMMAND_TARGETS, flagOf, type Targets } from './targets.ts'

type Case = Pick<ConformanceCase, 'id' | 'needs'>

/** One pasteable line that judges this case again, and names no target that has no part in it. */
export function reproCommand(
  test: Case,
  run: {
    targets: Targets
    profile: Profile
    driver?: Driver | undefined
    strict?: boolean
    draw?: Draw
  },
): string {
  const named = Object.entries(run.targets).filter(([name]) => hasPart(name, test))
  const urls = named.flatMap(([name, url]) => (url ? [flagOf(name), quoteWord(url)] : []))
  const profile = run.profile === 'spec' ? [] : ['--profile', run.profile]
  const driver = run.driver && !judgesCaller(test) ? driverFlags(run.driver.name) : []
  const strict = run.strict ? ['--strict'] : []
  const draw = DRAWN.test(test.id) ? drawFlags(run.draw) : []
  const flags = [...urls, ...driver, ...profile, ...strict, ...draw]
  return ['npx rollbed conform', ...flags, '--only', quoteWord(test.id)].join(' ')
}

/** A case may look at any URL by the way, such as at the WebSocket, but no more than it asks for of the rest. */
function hasPart(target: string, test: Case): boolean {
  const isNoUrl = target === 'teeVerifier' || COMMAND_TARGETS.some((name) => name === target)
  return isNoUrl || judgesCaller(test) ? test.needs.some((need) => need === target) : true
}

function judgesCaller({ needs }: Case): boolean {
  return CALLER_TARGETS.some((name) => needs.includes(name))
}

const DRAWN = /\.payloads\.\d+$/

function drawFlags({ seed, effort } = USUAL_DRAW): string[] {
  return [
    ...(seed === USUAL_DRAW.seed ? [] : ['--seed', String(seed)]),
    ...(effort === USUAL_DRAW.effort ? [] : ['--effort', effort]),
  ]
}

/** The key itself is in no report: the flag without a value takes it from the environment. */
function driverFlags(name: string): string[] {
  return name === PRIVATE_KEY_DRIVER ? ['--private-key'] : ['--driver', quoteWord(name)]
}

/**
 * A word as a POSIX shell takes it literally, in quotes only where it needs them.
 *
 * @see POSIX.1-2024, Shell Command Language, 2.2 Quoting
 * @example
 * import { quoteWord } from 'rollbed/conform'
 *
 * console.log(quoteWord('two words')) // 'two words', with its quotes
 */
export function quoteWord(word: string): string {
  return /^[\w:/.,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
