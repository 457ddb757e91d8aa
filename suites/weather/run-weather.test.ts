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

test('given a fault that its target cannot play here, then the run rejects at once, and nobody has begun to load the world', async () => {
  await using world = await startSimulatedWorld()
  const plan = parseFaultPlan({
    duration: 4_000,
    load: { transfers: 60 },
    faults: [{ at: 500, target: 'disk:state', fault: 'torn_write' }],
  })
  await expect(runWeather(world, plan)).rejects.toMatchObject({
    code: 'FAULT_UNKNOWN',
    hint: 'There is full, read_only, slow.',
  })
  expect(world.now()).toBe(0)
  expect(world.recorder.events.filter(({ who }) => who.startsWith('client'))).toEqual([])
})
