import { expect, test } from 'vitest'
import { parseFaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { parseLog } from '../judge-log.ts'
import { runWeather } from '../run-weather.ts'
import { derivedOf } from './safe-is-on-l1.ts'

test('given a world with transfers, when L2 is derived anew from its L1, then every safe block is there, and users are in it', async () => {
  const plan = parseFaultPlan({ seed: 3, duration: 12_000, load: { transfers: 120, tokens: 60 } })
  await using world = await startSimulatedWorld(optionsFor(plan))
  const { ndjson, violations } = await runWeather(world, plan)
  const events = parseLog(ndjson)
  const [derived] = derivedOf(events)
  const safe = events.findLast(({ what }) => what === 'safe.seen')!.data
  expect(safe.number).toBeGreaterThan(3)
  const blocks = derived!.blocks.slice(0, Number(safe.number) + 1)
  expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, index) => index))
  expect(blocks.at(-1)?.hash).toBe(safe.hash)
  expect(blocks.some(({ transactions }) => transactions.length > 1)).toBe(true)
  expect(violations).toEqual([])
})
