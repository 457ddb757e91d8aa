import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { SimulatedWorldOptions } from './world-ground.ts'

/** The simulated world that a plan is made for. */
export function optionsFor(
  plan: { seed: number } & Partial<Pick<FaultPlan, 'world'>>,
): SimulatedWorldOptions {
  const { seed, world: { blockTime, ...world } = {} } = plan
  return {
    seed,
    ...world,
    ...(blockTime !== undefined && {
      ...{ blockTime, l1BlockTime: blockTime },
      flashblockTime: blockTime * 250,
      batchInterval: blockTime * 500,
    }),
  }
}
