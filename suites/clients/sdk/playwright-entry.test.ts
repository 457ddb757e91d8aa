import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startDevnet } from '#devnet/start-devnet'
import { ensureChromium } from '#suites/gate/report-page/install-chromium'
import { serveNextSample } from './serve-next-sample.ts'

test('given tests on the fixtures, when Playwright runs them, then they pass and nothing keeps it', async () => {
  const folder = join(import.meta.dirname, 'playwright')
  const cli = join(import.meta.dirname, '../../../node_modules/@playwright/test/cli.js')
  const output = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  const chromium = await ensureChromium()
  await using dapp = await serveNextSample()
  await using devnet = await startDevnet({ enclaves: 0, faults: true })
  const child = spawn(process.execPath, [cli, 'test', '-c', folder, '--output', output], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // One for all workers: no other code has to be loaded there.
    env: {
      ...process.env,
      ...{ ROLLBED_URL: devnet.description.rpcUrl, CHROMIUM: chromium, SAMPLE_DAPP: dapp.url },
    },
  })
  const [report, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')])

  rmSync(output, { recursive: true, force: true })
  const { stats, errors, suites } = JSON.parse(report) as {
    stats: object
    errors: unknown[]
    suites: { specs: Spec[] }[]
  }
  expect(errors).toEqual([])
  expect(suites.flatMap(({ specs }) => specs.filter(({ ok }) => !ok)).map(saidBy)).toEqual([])
  expect(stats).toMatchObject({ expected: 11, unexpected: 0 })
  expect(exitCode).toBe(0)
}, 300_000)

/** What Playwright reports of one test. */
interface Spec {
  readonly title: string
  readonly ok: boolean
  readonly tests: { results: { errors: { message: string }[] }[] }[]
}

/** Which test failed, and why: the numbers alone leave nothing to look for. */
function saidBy({ title, tests }: Spec): string {
  const errors = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
  return [title, ...errors.map(({ message }) => message)].join('\n')
}
