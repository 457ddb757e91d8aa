import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { World } from '#devnet/rollup/world/world'

/**
 * Starts a world for weather.
 * @param body real: what `rollbed up --faults` starts
 * @param options a plan says what world it is made for
 */
export async function openWorld(
  body: 'real' | 'simulated',
  options: { seed: number } & Partial<Pick<FaultPlan, 'world'>>,
): Promise<World> {
  if (body === 'real') {
    const { startRealWorld } = await import('#suites/weather/start-real-world')
    return startRealWorld(options)
  }
  const { startSimulatedWorld } = await import('#devnet/rollup/world/start-simulated-world')
  const { optionsFor } = await import('#devnet/rollup/world/options-for')
  return startSimulatedWorld(optionsFor(options))
}
