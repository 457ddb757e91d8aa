import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { isFailing } from '#reports/model'
import { lane } from '#suites/lane'
import {
  createTestMnemonicDriver,
  exitCode,
  loadExpectations,
  runConformance,
  selectCases,
} from '../conformance/index.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const PORT = 8646
const CONFIG = `export default { networks: { op: {
  type: 'edr-simulated', chainType: 'op', accounts: { mnemonic: '${MNEMONIC}' },
  mining: { auto: false, interval: 2000 },
} } }
`

/** Fails where a block that it looks at has a typed transaction: the newest one often has. */
const BY_CHANCE = 'rpc.block.size.01'

/** A node of Hardhat that seals a block each two seconds; it ends with the test. */
async function startHardhat(): Promise<string> {
  const hardhat = lane('clients').file('hardhat')
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-hardhat-'))
  writeFileSync(join(folder, 'hardhat.config.js'), CONFIG)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(dirname(hardhat), join(folder, 'node_modules'))
  const cli = join(hardhat, 'dist/src/cli.js')
  const args = [cli, 'node', '--network', 'op', '--port', String(PORT)]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`hardhat node has ended with ${code}`)))
    child.stdout.on('data', (text: Buffer) => {
      if (/Started HTTP and WebSocket/.test(String(text))) resolve()
    })
  })
  return `127.0.0.1:${PORT}`
}

test.skipIf(!process.env.ROLLBED_HARDHAT || !lane('clients').isInstalled)(
  'given a node of Hardhat and the list of its known failures, when the gate judges it, then it finds each and no other',
  { timeout: 240_000 },
  async () => {
    const address = await startHardhat()
    const expectations = await loadExpectations(join(import.meta.dirname, 'known-failures.yaml'))
    const clock = systemClock
    const { signal } = new AbortController()
    const targets = { rpc: `http://${address}`, ws: `ws://${address}` }
    const driver = await createTestMnemonicDriver({ targets, clock, signal })
    const cases = selectCases().filter(({ id }) => id !== BY_CHANCE)
    const run = await runConformance({ targets, driver, clock, cases, expectations, strict: true })
    const unexcused = run.cases.filter(({ verdict }) => isFailing(verdict))
    expect(unexcused.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`)).toEqual([])
    const listed = expectations.flatMap((entry) => entry.case.split(',').map((id) => id.trim()))
    const found = run.cases.filter(({ verdict }) => verdict === 'expected-fail')
    expect(found.map(({ id }) => id).sort()).toEqual(listed.sort())
    expect(exitCode(run)).toBe(0)
  },
)
