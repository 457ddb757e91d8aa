import type { Profile } from './conformance-case.ts'
import { PRIVATE_KEY_DRIVER } from './drivers/create-private-key-driver.ts'
import type { Driver } from './drivers/driver.ts'
import { flagOf, type Targets } from './targets.ts'

/** One pasteable line that judges this case again. */
export function reproCommand(
  id: string,
  run: { targets: Targets; profile: Profile; driver?: Driver | undefined; strict?: boolean },
): string {
  const urls = Object.entries(run.targets).flatMap(([name, url]) =>
    url ? [flagOf(name), quoteWord(url)] : [],
  )
  const profile = run.profile === 'spec' ? [] : ['--profile', run.profile]
  const driver = run.driver ? driverFlags(run.driver.name) : []
  const strict = run.strict ? ['--strict'] : []
  const flags = [...urls, ...driver, ...profile, ...strict]
  return ['npx rollbed conform', ...flags, '--only', quoteWord(id)].join(' ')
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
 * show(quoteWord('two words')) // 'two words', with its quotes
 */
export function quoteWord(word: string): string {
  return /^[\w:/.,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
