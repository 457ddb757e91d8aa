import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LANES, type LaneName, lane } from '#suites/lane'

/** Installs what the lock file of a lane says, unless that is there already. No package runs a script of its own. */
export function installLane(name: LaneName): void {
  const { folder, isInstalled } = lane(name)
  const changed = (file: string) => statSync(join(folder, file)).mtimeMs
  if (isInstalled && changed('node_modules/.package-lock.json') >= changed('package-lock.json'))
    return
  const { description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  process.stdout.write(`— npm ci in suites/tools/lanes/${name}: ${description}\n`)
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'inherit',
  })
}

/** @throws Error that names the lanes, when there is none of this name */
export function laneNamed(name: string): LaneName {
  const found = LANES.find((each) => each === name)
  if (!found) throw new Error(`There is no lane '${name}': take one of ${LANES.join(', ')}.`)
  return found
}

if (import.meta.main) for (const name of process.argv.slice(2)) installLane(laneNamed(name))
