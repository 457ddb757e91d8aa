import { expect } from 'vitest'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { runWeather } from '../run-weather.ts'
import type { Story } from './story.ts'

/** Those of a list that the simulated world can play. */
export const inSimulation = (stories: readonly Story[]): Story[] =>
  stories.filter(({ bodies }) => bodies.includes('simulated'))

/** Plays a story in a world of its own, and expects that all that must hold held. */
export async function expectSimulated({ plan }: Story): Promise<void> {
  const world = await startSimulatedWorld(optionsFor(plan))
  const run = await runWeather(world, plan).finally(() => world.stop())
  expect(run.violations).toEqual([])
  for (const what of ['block.seen', 'code.told', 'fault.off', 'probe.done']) {
    expect(run.ndjson).toContain(`"what":"${what}"`)
  }
}
