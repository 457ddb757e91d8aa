import { describe, expect, it } from 'vitest'
import { blockSchedule } from './block-schedule.ts'

describe('the schedule of a 2 s block with timestamp 1,002', () => {
  const schedule = blockSchedule(1_002_000n, 2_000, 200)

  it.each([
    [999_500, 0, 1_000_200],
    [1_000_000, 0, 1_000_200],
    [1_000_199, 0, 1_000_200],
    [1_000_200, 1, 1_000_400],
    [1_000_950, 4, 1_001_000],
    [1_001_800, 9, 1_002_000],
    [1_002_000, 10, 1_002_000],
    [1_060_000, 10, 1_002_000],
  ])(
    'when it is %i ms, then flashblock %i is due and the next tick is at %i ms',
    (now, slot, next) => {
      expect([schedule.slotAt(now), schedule.nextTick(now)]).toEqual([slot, next])
    },
  )

  it('then it has ten user flashblocks, the last one at its timestamp', () => {
    expect(schedule).toMatchObject({ flashblocks: 10, boundary: 1_002_000 })
  })

  it('given an interval that does not divide the block time, then the last flashblock is shorter', () => {
    const uneven = blockSchedule(1_002_000n, 2_000, 300)
    expect(uneven.flashblocks).toBe(7)
    expect(uneven.nextTick(1_001_800)).toBe(1_002_000)
  })
})
