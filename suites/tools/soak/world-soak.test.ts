import { expect, test } from 'vitest'
import { worldSoak } from './world-soak.ts'

test('given a whole world with light load and weather, when a day passes in blocks of half an hour, then all of it was served', async () => {
  const [day] = await worldSoak({ days: 1, blockTime: 1_800 })
  expect(day!['L2 blocks']).toBe(48)
  expect(day!['L2 blocks that safe is behind']).toBeLessThanOrEqual(6)
  expect(day!['games that did not end as they should']).toBe(0)
  // One for ten blocks.
  expect(day!['games created']).toBeGreaterThanOrEqual(3)
  // Those of the last two blocks may be on their way.
  expect(day!['transactions sealed']).toBeGreaterThanOrEqual(day!['transactions sent'] - 14)
  expect(day!['transactions sent'] + day!['builder codes']).toBeGreaterThanOrEqual(400)
  expect(day!.faults).toBe(24)
})
