import type { FaultPlan } from '#devnet/faults/fault-plan'
import { randomInt, seededRng } from '#protocol/random/rng'

/** Blocks of 2 s, and from the tenth second on of 200 ms: in the middle of the weather. */
const CROSSING = {
  upgrades: { azul: 'genesis', denim: 'block 5' },
} as const satisfies FaultPlan['world']

/** One run of so many crosses. */
const ONE_IN = 4

/**
 * The world of a run: some cross to blocks of 200 ms. Which do is drawn by the seed and for itself, so that every
 * other run has the plan that it had before there was a crossing.
 */
export function drawWorld(seed: number): FaultPlan['world'] {
  return randomInt(seededRng(`swarm ${seed}/world`), ONE_IN) === 0 ? CROSSING : {}
}
