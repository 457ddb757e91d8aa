import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { World } from '#devnet/rollup/world/world'
import { runWeather } from '../run-weather.ts'
import type { Planned, PlayRun } from './play-run.ts'

/**
 * Plays runs in worlds that are started for them.
 * @param open starts the world of a run; default: a simulated one
 */
export const playIn =
  (
    open: (planned: Planned) => Promise<World> = (planned) =>
      startSimulatedWorld(optionsFor(planned)),
  ): PlayRun =>
  async (planned, planFor) => {
    await using world = await open(planned)
    // Not before it is over may the world be stopped.
    return await runWeather(world, planFor(world.faults.targets()))
  }
