import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { isFailing } from '#reports/model'
import {
  createTestMnemonicDriver,
  exitCode,
  loadExpectations,
  runConformance,
} from '../conformance/index.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const PORT = 8647
const folder = process.env.ROLLBED_GANACHE

/** A ganache that seals a block each two seconds; it ends with the test. */
async function startGanache(): Promise<string> {
  const cli = join(folder!, 'node_modules/ganache/dist/node/cli.js')
  const args = [cli, '-m', MNEMONIC, '-b', '2', '-p', String(PORT)]
  // It keeps its chain among the temporary files, and is not asked to end.
  const TMPDIR = mkdtempSync(join(tmpdir(), 'ganache-'))
  const env = { ...process.env, TMPDIR }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(TMPDIR, { recursive: true })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ganache has ended with ${code}`)))
    child.stdout.on('data', (text: Buffer) => {
      if (/RPC Listening/.test(String(text))) resolve()
    })
  })
  return `127.0.0.1:${PORT}`
}

test.skipIf(!folder)(
  'given ganache and the list of its known failures, when the gate judges it, then it finds each and no other',
  { timeout: 400_000 },
  async () => {
    const address = await startGanache()
    const expectations = await loadExpectations(join(import.meta.dirname, 'known-failures.yaml'))
    const clock = systemClock
    const { signal } = new AbortController()
    const targets = { rpc: `http://${address}`, ws: `ws://${address}` }
    const driver = await createTestMnemonicDriver({ targets, clock, signal })
    const run = await runConformance({ targets, driver, clock, expectations, strict: true })
    const unexcused = run.cases.filter(({ verdict }) => isFailing(verdict))
    expect(unexcused.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`)).toEqual([])
    const listed = expectations.flatMap((entry) => entry.case.split(',').map((id) => id.trim()))
    const found = run.cases.filter(({ verdict }) => verdict === 'expected-fail')
    expect(found.map(({ id }) => id).sort()).toEqual(listed.sort())
    expect(exitCode(run)).toBe(0)
  },
)
