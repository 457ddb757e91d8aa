import { describe, expect, test } from 'vitest'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { drawnBy, drawShare } from '../drawn-by.ts'
import { runWeather } from '../run-weather.ts'
import { allStories } from './all-stories.ts'

const inSimulation = allStories.filter(({ bodies }) => bodies.includes('simulated'))

describe(`the stories that ROLLBED_DRAW=${drawnBy} draws`, () => {
  test.each(drawShare(drawnBy, inSimulation, 1 / 8))(
    'given $name in a simulated world, then all that must hold holds',
    async ({ plan }) => {
      const world = await startSimulatedWorld(optionsFor(plan))
      const run = await runWeather(world, plan).finally(() => world.stop())
      expect(run.violations).toEqual([])
      for (const what of ['block.seen', 'code.told', 'fault.off', 'probe.done']) {
        expect(run.ndjson).toContain(`"what":"${what}"`)
      }
    },
  )
})
