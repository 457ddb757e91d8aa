import type { FaultPlan } from '../faults/fault-plan.ts'
import type { World } from '../world/world.ts'

/**
 * Starts a world for weather.
 * @param body real: what `rollbed up --faults` starts
 * @param told a plan says what world it is made for
 */
export async function openWorld(
  body: 'real' | 'simulated',
  told: { seed: number } & Partial<Pick<FaultPlan, 'world'>>,
): Promise<World> {
  if (body === 'real') {
    const { startRealWorld } = await import('../../suites/weather/start-real-world.ts')
    return startRealWorld(told)
  }
  const { startSimulatedWorld } = await import('../world/start-simulated-world.ts')
  const { optionsFor } = await import('../world/options-for.ts')
  return startSimulatedWorld(optionsFor(told))
}
