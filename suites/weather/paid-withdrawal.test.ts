import { expect, test } from 'vitest'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { LoggedEvent } from './checkers/checker.ts'
import { judgeLog, parseLog } from './judge-log.ts'
import { runWeather } from './run-weather.ts'
import { allStories } from './stories/all-stories.ts'

test('given withdrawals in bad weather, when a game is won, then L1 pays one of them, and a log in which it pays otherwise is wrong', async () => {
  const { plan } = allStories.find(({ name }) => name === 'a-withdrawal-is-paid')!
  await using world = await startSimulatedWorld(optionsFor(plan))
  const { ndjson, violations } = await runWeather(world, plan)
  expect(violations).toEqual([])
  const events = parseLog(ndjson)
  expect(events.filter(({ what }) => what === 'withdrawal.paid').length).toBe(1)
  const paying = events.findLast(
    ({ what, data }) => what === 'l1.block' && (data.withdrawals as unknown[]).length > 0,
  )!
  const problems = (other: object) => {
    const changed: LoggedEvent = { ...paying, data: { ...paying.data, ...other } }
    const log = events.map((event) => (event === paying ? changed : event))
    return judgeLog(log, ['withdrawals-are-paid-once']).map(({ problem }) => problem)
  }
  const ofPortal = expect.stringMatching(/the portal has \d+ wei, not \d+/)
  expect(problems({ portal: '0x1' })).toContainEqual(ofPortal)
  expect(problems({ withdrawals: [] })).toContainEqual(ofPortal)
  expect(problems({})).toEqual([])
})
