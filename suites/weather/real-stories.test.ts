import { describe, expect, test } from 'vitest'
import { runWeather } from './run-weather.ts'
import { startRealWorld } from './start-real-world.ts'
import { allStories } from './stories/all-stories.ts'

/** The rest by ROLLBED_WEATHER=real: each takes ten seconds of the wall clock. */
const ALWAYS = ['everything-at-once']

const playable = allStories.filter(
  ({ name, bodies }) =>
    bodies.includes('real') && (process.env.ROLLBED_WEATHER === 'real' || ALWAYS.includes(name)),
)

describe('stories in the real world', () => {
  test.each(playable)('given $name, then all that must hold holds', async ({ plan }) => {
    const world = await startRealWorld(plan)
    const run = await runWeather(world, plan).finally(() => world.stop())
    expect(run.violations).toEqual([])
    // The log is of a world in which something happened.
    const proved = plan.load.proofs > 0 ? ['proof.made'] : []
    for (const what of [
      'sealed',
      'block.seen',
      'code.told',
      ...proved,
      'fault.off',
      'probe.done',
    ]) {
      expect(run.ndjson).toContain(`"what":"${what}"`)
    }
  })
})
