import { expect, test } from 'vitest'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'

async function logOf(seed: number): Promise<string> {
  await using world = await startSimulatedWorld({ seed })
  await world.runUntil(4_000)
  return world.recorder.toNdjson()
}

test('given two worlds in one thread, when they live at once, then each has the log that it has alone', async () => {
  const alone = [await logOf(1), await logOf(2)]
  expect(await Promise.all([logOf(1), logOf(2)])).toEqual(alone)
})
