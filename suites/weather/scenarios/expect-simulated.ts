import { expect } from 'vitest'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { runWeather } from '../run-weather.ts'
import type { Scenario } from './scenario.ts'

/** Those of a list that the simulated world can play. */
export const inSimulation = (scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.filter(({ bodies }) => bodies.includes('simulated'))

/** Plays a scenario in a world of its own, and expects that all that must hold held. */
export async function expectSimulated({ plan }: Scenario): Promise<void> {
  const world = await startSimulatedWorld(optionsFor(plan))
  const run = await runWeather(world, plan).finally(() => world.stop())
  expect(run.violations).toEqual([])
  for (const what of ['block.seen', 'code.told', 'fault.off', 'probe.done']) {
    expect(run.ndjson).toContain(`"what":"${what}"`)
  }
}
