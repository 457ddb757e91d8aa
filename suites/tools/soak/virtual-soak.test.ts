import { expect, test } from 'vitest'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { virtualSoak } from './virtual-soak.ts'

/** Ten seconds of a processor each: a commit lives through one of them, the night through both. */
const drawn = drawShare(drawnBy, ['whole seconds', 'today'], 1 / 2)

test.runIf(drawn.includes('whole seconds'))(
  'given twenty-four minutes of an unsteady machine that sleeps at times, then nothing drifts and nothing grows',
  async () => {
    const sleep = 60_000
    const [, second, , last] = await virtualSoak({
      hours: 0.4,
      flashblockTime: 2_000,
      historyBlocks: 256,
      sleep,
    })
    // An L2 block for every two seconds, those that the machine slept through too; of L1 none for them.
    const slept = (4 * sleep) / 2_000
    expect(last!.l2Blocks).toBeGreaterThanOrEqual(720 + slept - 2)
    expect(last!.l2Blocks).toBeLessThanOrEqual(720 + slept)
    expect(last!.l1Blocks).toBeGreaterThan(720 - 8)
    expect(last!.l1Blocks).toBeLessThanOrEqual(720)
    expect(last!.behindClock).toBeLessThan(2.1)
    // A block takes the newest origin known when it is opened, and L1 has one more when it is sealed.
    for (const { l1Lag } of [second!, last!]) expect(l1Lag).toBeLessThanOrEqual(2)
    expect(last!.included).toBe(24 * 3)
    expect(last!.pooled).toBe(0)
    expect(last!.values).toBeLessThan(second!.values * 1.1)
  },
)

test.runIf(drawn.includes('today'))(
  "given twelve minutes of today's chain, then there are five blocks in each second, and nothing grows",
  async () => {
    const sleep = 5_000
    const soak = { hours: 0.2, flashblockTime: 2_000, historyBlocks: 256, chain: 'today' } as const
    const [, second, , last] = await virtualSoak({ ...soak, sleep })
    const slept = 4 * sleep
    expect(last!.l2Blocks).toBeGreaterThanOrEqual((720_000 + slept) / 200 - 2)
    expect(last!.l2Blocks).toBeLessThanOrEqual((720_000 + slept) / 200)
    // Headers tell whole seconds.
    expect(last!.behindClock).toBeLessThan(1.3)
    for (const { l1Lag } of [second!, last!]) expect(l1Lag).toBeLessThanOrEqual(2)
    expect(last!.included).toBe(36)
    expect(last!.pooled).toBe(0)
    expect(last!.values).toBeLessThan(second!.values * 1.1)
  },
)
