import { expect, test } from 'vitest'
import { parseFaultPlan } from '#devnet/faults/fault-plan'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { runWeather } from './run-weather.ts'

test('given a fault that cannot be brought about, then the run alone rejects and says why', async () => {
  await using world = await startSimulatedWorld()
  const plan = parseFaultPlan({
    duration: 4_000,
    faults: [{ at: 500, target: 'chain:l1', fault: 'reorg', with: { depth: 16 } }],
  })
  await expect(runWeather(world, plan)).rejects.toThrow(/16 blocks deep/)
})
