import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { LANES } from '#suites/lane'
import { installLane, laneNamed } from './install-lane.ts'
import { testsOf } from './tests-of.ts'

/** `npm run lanes [-- NAME…]`: installs the packages of lanes, and runs the tests that need them. */
const ROOT = join(import.meta.dirname, '..', '..', '..')
const named = process.argv.slice(2).map(laneNamed)
const chosen = named.length > 0 ? named : LANES
for (const name of chosen) installLane(name)
const tests = chosen.flatMap(testsOf)
if (tests.length > 0) {
  const vitest = join(ROOT, 'node_modules', '.bin', 'vitest')
  process.exitCode =
    spawnSync(vitest, ['run', ...tests], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
}
