import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/index'
import { systemClock } from '#protocol/clock/system-clock'
import { loadDriver, runConformance, selectCases } from '../conformance/index.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await devnet?.stop()
})

test('given the example of the driver guide, then it judges a chain by keys alone', async () => {
  const { rpcUrl, accounts } = devnet.description
  const keys = accounts.slice(0, 5).map(({ privateKey }) => privateKey)
  vi.stubEnv('DRIVER_KEYS', keys.join(','))
  const targets = { rpc: rpcUrl }
  const { signal } = new AbortController()
  const file = new URL('../conformance/drivers/own-driver.ts', import.meta.url).pathname
  const start = await loadDriver(file)
  const driver = await start({ targets, clock: systemClock, signal })
  const cases = selectCases('rpc.call.gas*,rpc.getlogs.topic-*,rpc.pending.cumulative.01')
  const run = await runConformance({ targets, driver, cases, clock: systemClock })
  expect(run.cases.map(({ id, verdict }) => [id, verdict])).toEqual(
    cases.map(({ id }) => [id, 'pass']),
  )
  expect(run.driver).toBe(file)
})
