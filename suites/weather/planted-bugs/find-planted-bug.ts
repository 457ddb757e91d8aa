import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { playSwarm, type SwarmResult } from '../swarm/play-swarm.ts'
import type { PlantedBug } from './planted-bug.ts'

/** Lets a swarm look for a planted bug, in worlds whose parts have it. */
export function findPlantedBug(
  bug: PlantedBug,
  options: { runs: number; seed: number; shrink?: boolean },
): Promise<SwarmResult> {
  return playSwarm({
    ...options,
    open: (planned) => startSimulatedWorld(optionsFor(planned), bug.plant()),
  })
}
