import { rmSync } from 'node:fs'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { SimulatedWorld } from './simulated-world.ts'
import { layGround, type SimulatedWorldOptions } from './world-ground.ts'
import { WORLD_PARTS, type WorldParts } from './world-parts.ts'

/**
 * Starts the whole rollup in this thread: the devnet's own components on a clock that moves only in
 * `runUntil`, on an L1 of our own, over links in memory. No process, socket or timer; one temporary
 * folder, for databases. The same seed, faults and load give the same events, byte for byte.
 *
 * @param parts other components in the place of the devnet's own: for tests of what finds their faults
 * @example
 * await using world = await startSimulatedWorld({ seed: 7 })
 * await world.faults.inject('link:host-l1', 'latency', { latency: 500 })
 * await world.runUntil(3_600_000)
 */
export async function startSimulatedWorld(
  given: SimulatedWorldOptions = {},
  parts: Partial<WorldParts> = {},
): Promise<SimulatedWorld> {
  const options: Required<SimulatedWorldOptions> = {
    seed: 0,
    genesisTime: 1_700_000_000,
    blockTime: 2,
    l1BlockTime: 2,
    flashblockTime: 200,
    batchInterval: 2000,
    sequencerWindow: 3600,
    upgrades: {},
    gameInterval: 10,
    keepsChain: false,
    enclaves: 1,
    actors: true,
    logLevel: 'silent',
    eventLimit: 500_000,
    ...given,
  }
  const workDir = makeRunFolder()
  try {
    const world = new SimulatedWorld(
      await layGround(options, workDir, { ...WORLD_PARTS, ...parts }),
    )
    await world.start()
    return world
  } catch (error) {
    rmSync(workDir, { recursive: true, force: true })
    throw error
  }
}
