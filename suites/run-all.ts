import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './gate/report-page/install-chromium.ts'

/**
 * `npm test`: everything a change must pass, cheapest first. Stops at the first step that fails.
 * Arguments go to vitest, so `npm test -- suites/system/rpc` checks all and runs only that folder.
 */
const bin = (name: string) => join(import.meta.dirname, '..', 'node_modules', '.bin', name)
const scratch = await mkdtemp(join(tmpdir(), 'rollbed-run-'))
const results = join(scratch, 'vitest.json')

try {
  await step('types', bin('tsc'), ['--noEmit'])
  await step('types of the explorer page', bin('tsc'), ['--noEmit', '-p', 'devnet/dashboard/page'])
  await step('types of the sample dapp', bin('tsc'), ['--noEmit', '-p', 'suites/clients/dapp/page'])
  await step('types of the test wallet', bin('tsc'), [
    '--noEmit',
    '-p',
    'suites/clients/dapp/wallet',
  ])
  await step('lint', bin('biome'), ['check', '.'])
  await step('unused code', bin('knip'), [])
  console.log('\n— Chromium')
  console.log(await ensureChromium())
  const vitest = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const passed = await step('tests', bin('vitest'), [...vitest, ...process.argv.slice(2)], false)
  await printTotals()
  process.exitCode = passed ? 0 : 1
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function step(title: string, command: string, args: string[], mustPass = true) {
  console.log(`\n— ${title}`)
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0 && mustPass) throw new Error(`The step '${title}' failed with exit code ${code}.`)
  return code === 0
}

async function printTotals() {
  const report = JSON.parse(await readFile(results, 'utf8'))
  const { numPassedTests, numFailedTests, numPendingTests } = report
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
}
