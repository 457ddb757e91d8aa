import type { WorldParts } from '#devnet/rollup/world/world-parts'

/** A fault of ours on purpose, that a swarm has to find: the devnet's own parts do not have it. */
export interface PlantedBug {
  name: string
  /** What is wrong, in one sentence. */
  says: string
  /** The checker whose sentence it breaks. */
  breaks: string
  /** The parts of one world that has it. */
  plant(): Partial<WorldParts>
}
