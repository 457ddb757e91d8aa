import { describe, expect, test } from 'vitest'
import type { JournalEra } from '../types/journal-era.ts'
import type { RollupConfig } from './rollup-config.ts'
import { activatedScheduleId, journalScheduleId, scheduleId } from './schedule-id.ts'

test('given the golden schedule of base/base, then its id is theirs', () => {
  // base/base, schedule_id.rs: places 0, 1 and 10 have times.
  const times = [10n, 20n, ...Array<bigint>(8).fill(0n), 30n]
  const golden = '0xc04583a182a2a57476d1ca57f9e5e7aa24f1eee188221f75fe17634b8a63f00c'
  expect(scheduleId(times)).toBe(golden)
  expect(activatedScheduleId([...times, 99n], 98n)).toBe(golden)
})

test('given a time before every upgrade, then nothing holds and the id is zero', () => {
  expect(activatedScheduleId([10n, 20n], 9n)).toBe(`0x${'00'.repeat(32)}`)
  expect(scheduleId([])).toBe(`0x${'00'.repeat(32)}`)
})

test('given an upgrade without a time below the newest, then it is hashed as zero', () => {
  expect(activatedScheduleId([10n, 0n, 30n, 40n], 35n)).toBe(scheduleId([10n, 0n, 30n]))
})

// Worked out by rollbed's authors with viem from the rule in ProtocolVersions.sol; in no source.
test.each([
  [[1111n], '0x070470b95118a56e31c3454814098544f7aeca28000d4c5ccf5cd632f763b8bb'],
  [[1111n, 2222n], '0x6e2685bbb02e66d6fa3675300fba7d9adcdc8b297f95599b15a90dae4fa878b7'],
  [
    [...Array<bigint>(13).fill(1n), 100n],
    '0x4fc2024f81d1119958a7fac5238aeeb7256cded91a4ff147ccbf8ce52517194e',
  ],
])('given the times %s, then the chained hash of places and times is the id', (times, id) => {
  expect(scheduleId(times)).toBe(id)
})

test('given Denim at 100 and all else at 1, then the id of what holds changes with second 100', () => {
  const times = [...Array<bigint>(13).fill(1n), 100n]
  const before = '0xb491245d4e9c63ae1ece809276774be8885a9aa6bdc977530d589a7ae59efc53'
  expect(activatedScheduleId(times, 99n)).toBe(before)
  expect(activatedScheduleId(times, 100n)).toBe(scheduleId(times))
})

test('given the draft that began with the chain and hashed names, then its golden is not met', () => {
  // base/base 26c8aaed, a formula that was given up.
  expect(scheduleId([10n, 20n, ...Array<bigint>(8).fill(0n), 30n])).not.toMatch(/^0xc6e7f19f/)
})

describe('the schedule of a devnet', () => {
  const genesis = { l2: { number: 0 }, l2Time: 10 }
  const chain = (journal?: JournalEra) =>
    ({
      ...{ fork: 'jovian', genesis, blockTime: 2, journal },
      upgrades: { azul: 'genesis', denim: 15 },
    }) as unknown as RollupConfig
  // Regolith to Azul at genesis, but for a test network's upgrade; Beryl and Cobalt are not built.
  const until = (place: number, ...more: bigint[]) => [
    ...Array.from({ length: place + 1 }, (_, each) => (each === 7 ? 0n : 10n)),
    ...more,
  ]

  test('given no era, then journals name none', () => {
    expect(journalScheduleId(chain(), 3n)).toBeUndefined()
  })

  test('given the era of what holds, then Denim counts from its first block on, at 16 s', () => {
    const chainNow = chain('activated-schedule')
    expect(journalScheduleId(chainNow, 2n)).toBe(scheduleId(until(10)))
    expect(journalScheduleId(chainNow, 3n)).toBe(scheduleId(until(10, 0n, 0n, 15n)))
  })

  test('given the era of the whole schedule, then what is announced counts at once', () => {
    const whole = scheduleId(until(10, 0n, 0n, 15n))
    expect(journalScheduleId(chain('whole-schedule'), 0n)).toBe(whole)
  })
})
