import { describe, expect, test } from 'vitest'
import { startSimulatedWorld } from '../../devnet/world/start-simulated-world.ts'
import { runWeather } from './run-weather.ts'
import { allScenarios } from './scenarios/all-scenarios.ts'

/** The rest by ROLLBED_WEATHER=simulated: each takes a few seconds of a core. */
const ALWAYS = ['host-l1-down', 'registrations-cut-in-a-message']

const playable = allScenarios.filter(
  ({ name, bodies }) =>
    bodies.includes('simulated') &&
    (process.env.ROLLBED_WEATHER === 'simulated' || ALWAYS.includes(name)),
)

describe('scenarios in the simulated world', () => {
  test.each(playable)('given $name, then all that must hold holds', async ({ plan }) => {
    const world = await startSimulatedWorld({ seed: plan.seed })
    const run = await runWeather(world, plan).finally(() => world.stop())
    expect(run.violations).toEqual([])
    for (const what of ['block.seen', 'code.told', 'fault.off', 'probe.done']) {
      expect(run.ndjson).toContain(`"what":"${what}"`)
    }
  })
})
