import { expect, test } from 'vitest'
import { KNOWN_SCHEDULES } from './known-schedules.ts'
import { activatedScheduleId, scheduleId } from './schedule-id.ts'

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

test('given the schedule of Base mainnet, then its ids are those that base/contracts tests for', () => {
  // base/contracts, test/L1/ProtocolVersions.t.sol; the last two follow from announced times.
  expect(KNOWN_SCHEDULES.map(({ id }) => id)).toEqual([
    '0xadd4aa9bd3532969035a9543c16b8c7d71298e15836f0ac731fdd3eea552c6e2',
    '0x5ee41f186b0a439783060587cfbb942f6f1d94ecc76376c9782580c943ff2b6d',
    '0x3d6185fc0e020da273b0abec02bd96263cd2f079f9f88db097fa683fb74ac896',
    '0xa7e0db8fbcc1f948bc5fdb3c8957f40a430e1b24942b3635543abb4d6934b68d',
  ])
})
