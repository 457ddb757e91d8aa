import { describe, expect, test } from 'vitest'
import { type FaultPlan, parseFaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { World } from '#devnet/rollup/world/world'
import type { WorldParts } from '#devnet/rollup/world/world-parts'
import { drawnBy, drawShare } from '../drawn-by.ts'
import { CHECKERS, parseLog } from '../judge-log.ts'
import { runWeather } from '../run-weather.ts'
import { startWeather } from '../start-weather.ts'
import { foundPlans } from './found-plans.ts'
import { plantedBugs } from './planted-bugs.ts'

const foundBugs = plantedBugs.filter(({ name }) => foundPlans[name])

/** Who finds something in a world of these parts. */
async function found(name: string, parts: Partial<WorldParts>): Promise<string[]> {
  const { plan: input, isSoon } = foundPlans[name]!
  const plan = parseFaultPlan(input, name)
  await using world = await startSimulatedWorld(optionsFor(plan), parts)
  const violations = isSoon ? await inTheWeather(world, plan) : await afterIt(world, plan)
  return violations.map(({ checker }) => checker)
}

const afterIt = async (world: World, plan: FaultPlan) => (await runWeather(world, plan)).violations

/** By what must hold at all times. */
async function inTheWeather(world: World, plan: FaultPlan) {
  const { clients } = startWeather(world, plan)
  await world.runUntil(plan.duration)
  clients.leave()
  const events = parseLog(world.recorder.toNdjson())
  return CHECKERS.flatMap(({ name, safety }) =>
    safety(events).map((problem) => ({ checker: name, ...problem })),
  )
}

test('given the planted bugs, then there are ten and more, each found by 200 runs and shrunk to three faults', () => {
  const known = plantedBugs.map(({ name }) => name)
  expect(Object.keys(foundPlans).filter((name) => !known.includes(name))).toEqual([])
  expect(Object.keys(foundPlans).length).toBeGreaterThanOrEqual(10)
  const checkers = CHECKERS.map(({ name }) => name)
  for (const { name, breaks } of foundBugs) {
    const { run, plan } = foundPlans[name]!
    expect(checkers).toContain(breaks)
    expect(run).toBeLessThanOrEqual(200)
    expect(plan.faults?.length ?? 0).toBeLessThanOrEqual(3)
  }
})

describe.each(drawShare(drawnBy, foundBugs, 1 / 5))(
  `$name, drawn by ROLLBED_DRAW=${drawnBy}`,
  ({ name, breaks, plant }) => {
    test('given the bug and the least plan, then its checker finds it, and nothing is wrong by the faults alone', async () => {
      expect(await found(name, plant())).toContain(breaks)
      // Quiet weather is played elsewhere.
      if (foundPlans[name]!.plan.faults) expect(await found(name, {})).toEqual([])
    })
  },
)
