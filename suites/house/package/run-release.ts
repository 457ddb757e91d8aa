import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staleEvidence } from '#suites/oracles/evidence/stale-evidence'
import { releaseObstacles } from './release-obstacles.ts'

/**
 * `npm run release`: tests and publishes the version of package.json with provenance, a signed
 * statement of the commit and the workflow that built it. Meant for .github/workflows/release.yml; by
 * hand it says what is missing, and publishes nothing.
 */
const ROOT = join(import.meta.dirname, '..', '..', '..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' })

const { version, repository, bugs, homepage } = JSON.parse(read('package.json'))
const obstacles = releaseObstacles({
  version,
  addresses: { repository: repository.url, bugs, homepage },
  changelog: read('CHANGELOG.md'),
  changes: execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).trim(),
  tag: process.env.GITHUB_REF_NAME,
  staleEvidence: staleEvidence(),
  canSign: Boolean(process.env.ACTIONS_ID_TOKEN_REQUEST_URL),
})
if (obstacles.length > 0) {
  for (const sentence of obstacles) process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
} else {
  run('npm', 'test')
  run('npm', 'publish', '--provenance', '--access', 'public')
}
