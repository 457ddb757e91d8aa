import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { LANES, type LaneName } from '#suites/lane'
import { installLane } from './install-lane.ts'
import { testsOf } from './tests-of.ts'

/** `npm run lanes [-- NAME…]`: installs the packages of lanes, and runs the tests that need them. */
const ROOT = join(import.meta.dirname, '..', '..', '..')

function main(named: readonly LaneName[]): void {
  const chosen = named.length > 0 ? named : LANES
  for (const name of chosen) installLane(name)
  const tests = chosen.flatMap(testsOf)
  if (tests.length === 0) return
  const vitest = join(ROOT, 'node_modules', '.bin', 'vitest')
  process.exitCode =
    spawnSync(vitest, ['run', ...tests], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
}

new Command('npm run lanes --')
  .description('Installs the packages of lanes, and runs the tests that need them.')
  .addArgument(new Argument('[lane...]', 'all by default').choices(LANES))
  .action(main)
  .parse()
