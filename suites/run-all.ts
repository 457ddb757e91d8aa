import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { filesLeftOut } from './drawn-files.ts'
import { ensureChromium } from './gate/report-page/install-chromium.ts'
import { howToInstall, LANES, lane } from './lane.ts'
import { testsOf } from './tools/lanes/tests-of.ts'
import { drawnBy } from './weather/drawn-by.ts'

/**
 * `npm test`: everything a change must pass. Checks that read the sources alone run beside the tests, which wait
 * much of their time; where one of them fails, the tests are ended and the run has failed.
 * Arguments go to vitest, so `npm test -- suites/system/rpc` checks all and runs only that folder. Without any, of the
 * files that take longest each commit plays a fifth; `ROLLBED_DRAW=all` plays all of them.
 */
const bin = (name: string) => join(import.meta.dirname, '..', 'node_modules', '.bin', name)
const scratch = await mkdtemp(join(tmpdir(), 'rollbed-run-'))
const results = join(scratch, 'vitest.json')
const wrong = new AbortController()
const asked = process.argv.slice(2)
const leftOut = asked.length === 0 ? filesLeftOut(drawnBy) : []

try {
  const checks = Promise.all([
    checkTypes('types', '.'),
    checkTypes('types of the explorer page', 'devnet/dashboard/page'),
    checkTypes('types of the sample dapp', 'suites/clients/dapp/page'),
    checkTypes('types of the test wallet', 'suites/clients/dapp/wallet'),
    check('lint', bin('biome'), ['check', '.']),
    check('unused code', bin('knip'), []),
  ])
  checks.catch((error) => wrong.abort(error))
  const passed = await runTests()
  await checks
  await printTotals()
  process.exitCode = passed ? 0 : 1
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/** By one thread: four would each check what all share, and take two thirds more CPU from the tests. */
function checkTypes(title: string, project: string) {
  return check(title, bin('tsc'), ['--noEmit', '--singleThreaded', '-p', project])
}

/** Says what it found in one piece, once it is done. */
async function check(title: string, command: string, args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = [text(child.stdout), text(child.stderr)]
  const code = await exitCodeOf(child)
  console.log(`\n— ${title}\n${(await Promise.all(said)).join('').trim()}`)
  if (code !== 0) throw new Error(`The step '${title}' failed with exit code ${code}.`)
}

/** @returns whether all passed; false where a check has ended them */
async function runTests(): Promise<boolean> {
  console.log(`\n— Chromium\n${await ensureChromium()}`)
  if (wrong.signal.aborted) return false
  console.log(`\n— tests; shares drawn by ${drawnBy}, again: ROLLBED_DRAW=${drawnBy} npm test`)
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  if (leftOut.length > 0)
    console.log(
      `  ${leftOut.length} of the longest files are left to other commits; ROLLBED_DRAW=all`,
    )
  const args = ['run', ...reports, ...asked]
  const env = { ...process.env, ROLLBED_LEFT_OUT: leftOut.join(',') }
  const vitest = spawn(bin('vitest'), args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  // So it ends what its tests have begun.
  wrong.signal.addEventListener('abort', () => vitest.kill('SIGINT'))
  return (await exitCodeOf(vitest)) === 0
}

function exitCodeOf(child: ChildProcess) {
  return new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

async function printTotals() {
  const report = JSON.parse(await readFile(results, 'utf8'))
  const { numPassedTests, numFailedTests, numPendingTests } = report
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
  const missing = LANES.filter((name) => !lane(name).isInstalled && testsOf(name).length > 0)
  for (const name of missing) {
    console.log(
      `The tests of the lane '${name}' were skipped: its packages are not installed. '${howToInstall(name)}' installs and runs them.`,
    )
  }
}
