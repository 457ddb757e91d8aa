import { expect, test } from 'vitest'
import { type FaultPlanInput, parseFaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { parseLog } from '../judge-log.ts'
import { runWeather } from '../run-weather.ts'
import { derivedOf } from './safe-is-on-l1.ts'

const load = { transfers: 120, tokens: 60 }

/** What is wrong in a world, and what L1 alone makes of its L2, up to the newest safe block. */
async function derivedIn(given: FaultPlanInput) {
  const plan = parseFaultPlan({ seed: 3, duration: 12_000, load, ...given })
  await using world = await startSimulatedWorld(optionsFor(plan))
  const { ndjson, violations } = await runWeather(world, plan)
  const events = parseLog(ndjson)
  const [derived] = derivedOf(events)
  const safe = events.findLast(({ what }) => what === 'safe.seen')!.data
  return { violations, safe, blocks: derived!.blocks.slice(0, Number(safe.number) + 1) }
}

test('given a world with transfers, when L2 is derived anew from its L1, then every safe block is there, and users are in it', async () => {
  const { violations, safe, blocks } = await derivedIn({})
  expect(safe.number).toBeGreaterThan(3)
  expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, index) => index))
  expect(blocks.at(-1)?.hash).toBe(safe.hash)
  expect(blocks.some(({ transactions }) => transactions.length > 1)).toBe(true)
  expect(violations).toEqual([])
})

test('given a world that crosses to blocks of 200 ms with its third, then every safe block behind it is there, too, with its milliseconds', async () => {
  const upgrades = { azul: 'genesis', denim: 'block 3' } as const
  const { violations, safe, blocks } = await derivedIn({ world: { upgrades } })
  expect(safe.number).toBeGreaterThan(10)
  expect(blocks.at(-1)?.hash).toBe(safe.hash)
  const began = blocks[0]!.time * 1_000
  const times = blocks.map(({ timestampMs }) => timestampMs && Number(timestampMs) - began)
  expect(times.slice(0, 9)).toEqual([
    ...[undefined, undefined, undefined],
    ...[6_000, 6_200, 6_400, 6_600, 6_800, 7_000],
  ])
  // Users of whom nobody knows but by a batch of one block.
  expect(blocks.slice(3).some(({ transactions }) => transactions.length > 2)).toBe(true)
  expect(violations).toEqual([])
})
