import type { World } from '../world/world.ts'

/** Starts a world for weather. @param body real: what `rollbed up --faults` starts */
export async function openWorld(body: 'real' | 'simulated', seed: number): Promise<World> {
  if (body === 'real') {
    const { startRealWorld } = await import('../../suites/weather/start-real-world.ts')
    return startRealWorld({ seed })
  }
  const { startSimulatedWorld } = await import('../world/start-simulated-world.ts')
  return startSimulatedWorld({ seed })
}
