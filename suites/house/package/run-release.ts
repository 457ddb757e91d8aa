import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import { staleEvidence } from '#suites/oracles/evidence/stale-evidence'
import { releaseObstacles } from './release-obstacles.ts'
import { chooseSteps, playSteps } from './release-steps.ts'

/**
 * Meant for .github/workflows/release.yml, which runs the steps side by side; by hand it says what is in the way of
 * publishing, first of all. Provenance is a signed statement of the commit and the workflow that built the package.
 */
const ROOT = join(import.meta.dirname, '..', '..', '..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
/** A release plays all of what a commit plays a share of. */
const env = { ...process.env, ROLLBED_DRAW: 'all' }
const say = (line: string) => void process.stderr.write(`${line}\n`)

const values = new Command('npm run release --')
  .description(
    'Runs what shows that the version of package.json is right, step by step, and publishes it with provenance.',
  )
  .option('--only <names>', 'these steps, with commas between')
  .option('--from <name>', 'go on from this step')
  .option('--list', 'tell the steps; nothing is run')
  .parse()
  .opts<{ only?: string; from?: string; list?: true }>()
const steps = chooseSteps({ only: values.only?.split(','), from: values.from })
if (values.list) {
  for (const { name, shows, npm } of steps) {
    process.stdout.write(`${name}: ${shows} (npm ${npm.join(' ')})\n`)
  }
} else {
  const obstacles = steps.some(({ name }) => name === 'publish') ? inTheWay() : []
  for (const sentence of obstacles) say(sentence)
  const hasPassed =
    obstacles.length === 0 &&
    playSteps(steps, {
      run: ({ npm }) => spawnSync('npm', npm, { cwd: ROOT, stdio: 'inherit', env }).status === 0,
      say,
      now: () => systemClock.now(),
    })
  process.exitCode = hasPassed ? 0 : 1
}

function inTheWay(): string[] {
  const { version, repository, bugs, homepage } = JSON.parse(read('package.json'))
  return releaseObstacles({
    version,
    addresses: { repository: repository.url, bugs, homepage },
    changelog: read('CHANGELOG.md'),
    changes: execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    tag: process.env.GITHUB_REF_NAME,
    staleEvidence: staleEvidence(),
    canSign: Boolean(process.env.ACTIONS_ID_TOKEN_REQUEST_URL),
  })
}
