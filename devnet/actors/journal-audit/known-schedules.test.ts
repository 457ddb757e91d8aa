import { describe, expect, test } from 'vitest'
import { scheduleId } from '#protocol/derivation/schedule-id'
import type { Hash } from '#protocol/types/bytes'
import { KNOWN_SCHEDULES, nameOfSchedule, schedulesAt, schedulesUntil } from './known-schedules.ts'

test('given the schedule of Base mainnet, then its ids are those that base/contracts tests for', () => {
  // base/contracts, test/L1/ProtocolVersions.t.sol; the last two follow from announced times.
  expect(KNOWN_SCHEDULES.map(({ id }) => id)).toEqual([
    '0xadd4aa9bd3532969035a9543c16b8c7d71298e15836f0ac731fdd3eea552c6e2',
    '0x5ee41f186b0a439783060587cfbb942f6f1d94ecc76376c9782580c943ff2b6d',
    '0x3d6185fc0e020da273b0abec02bd96263cd2f079f9f88db097fa683fb74ac896',
    '0xa7e0db8fbcc1f948bc5fdb3c8957f40a430e1b24942b3635543abb4d6934b68d',
  ])
})

describe('the eras of journals', () => {
  // Azul at 1, Denim at 100; the two ids are those that base/contracts has for a prefix and for all.
  const times = [...Array<bigint>(13).fill(1n), 100n]
  const until12 = '0xb491245d4e9c63ae1ece809276774be8885a9aa6bdc977530d589a7ae59efc53'
  const until13 = '0x4fc2024f81d1119958a7fac5238aeeb7256cded91a4ff147ccbf8ce52517194e'

  test('given blocks before Denim, then the id of each era is another, and is named', () => {
    const named = schedulesAt(times, 99n)
    expect(named.map(({ id }) => id)).toEqual([until12, until13])
    expect(nameOfSchedule(until12, named)).toBe(
      'of what holds since Cobalt (Base since August 2026)',
    )
    expect(nameOfSchedule(until13, named)).toBe('of the whole schedule (Base since July 2026)')
    expect(nameOfSchedule(`0x${'11'.repeat(32)}`, named)).toBeUndefined()
  })

  test('given blocks from Denim on, then both eras have one id', () => {
    const says = 'of what holds since Denim, which is the whole schedule'
    expect(schedulesAt(times, 100n)).toEqual([{ id: until13, says }])
  })

  test('given blocks that nobody knows, then every id that was possible until now is named', () => {
    const azul = [...Array<bigint>(10).fill(1n), 50n, 0n, 0n, 100n]
    const until = (now: bigint) => schedulesUntil(azul, now)
    const says = (now: bigint, id: Hash) => nameOfSchedule(id, until(now))
    const [whole, first] = [scheduleId(azul), scheduleId(azul.slice(0, 10))]
    expect(says(60n, whole)).toBe('of the whole schedule (Base since July 2026)')
    expect(says(60n, first)).toBe('of what holds since Jovian')
    expect(says(60n, scheduleId(azul.slice(0, 11)))).toBe(
      'of what holds since Azul (Base since August 2026)',
    )
    expect(says(100n, whole)).toBe('of what holds since Denim, which is the whole schedule')
    expect(says(100n, first)).toBe('of what holds since Jovian')
  })

  test('given blocks before all of them, then it is of no upgrade', () => {
    expect(schedulesAt(times, 0n)[0]).toMatchObject({
      id: `0x${'00'.repeat(32)}`,
      says: 'of no upgrade (Base since August 2026)',
    })
  })
})
