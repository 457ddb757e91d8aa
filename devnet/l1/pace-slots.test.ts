import { expect, test } from 'vitest'
import type { Clock } from '#protocol/clock/clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { paceSlots } from './pace-slots.ts'

const genesisTime = 1_700_000_000
const HOUR = 3_600_000

/** Slots with the time they came at, in milliseconds after genesis. */
function slotsOf(clock: Clock) {
  const slots: { slot: number; at: number }[] = []
  const onSlot = (slot: number) => slots.push({ slot, at: clock.now() - genesisTime * 1000 })
  const timer = paceSlots({ clock, genesisTime, slotTime: 2, onSlot })
  return { slots, timer }
}

/** A clock whose timers miss by what `miss` says, in milliseconds. */
function missing(clock: Clock, miss: () => number): Clock {
  return {
    now: () => clock.now(),
    after: (delay, action) => clock.after(delay + miss(), action),
  }
}

test('given timers that fire early and late for three hours, then every slot comes once, in its time', async () => {
  const virtual = new VirtualClock(genesisTime * 1000)
  const rng = seededRng('early and late')
  const { slots, timer } = slotsOf(missing(virtual, () => (rng.bytes(1)[0]! % 60) - 3))
  await virtual.advance(3 * HOUR)
  timer.cancel()
  // The last one may be late by some milliseconds.
  const expected = Array.from({ length: (3 * 3600) / 2 - 1 }, (_, index) => index + 1)
  expect(slots.map(({ slot }) => slot).slice(0, expected.length)).toEqual(expected)
  for (const { slot, at } of slots) {
    expect(at).toBeGreaterThan(slot * 2_000 - 10)
    expect(at).toBeLessThan(slot * 2_000 + 100)
  }
})

test('given a machine that sleeps for an hour, then the slots of that hour are left out', async () => {
  const virtual = new VirtualClock(genesisTime * 1000)
  let sleeps = 0
  const { slots, timer } = slotsOf(missing(virtual, () => sleeps))
  await virtual.advance(4_000)
  sleeps = HOUR
  await virtual.advance(2_000)
  sleeps = 0
  await virtual.advance(HOUR + 4_000)
  timer.cancel()
  expect(slots.map(({ slot }) => slot)).toEqual([1, 2, 3, 1804, 1805])
})

test('given a machine that stalls for five seconds, then no slot is missing', async () => {
  const virtual = new VirtualClock(genesisTime * 1000)
  let stall = 0
  const { slots, timer } = slotsOf(missing(virtual, () => stall))
  await virtual.advance(1_000)
  stall = 5_000
  await virtual.advance(1_000)
  stall = 0
  await virtual.advance(8_000)
  timer.cancel()
  const late = { at: 9_000 }
  expect(slots).toEqual([
    { slot: 1, at: 2_000 },
    { slot: 2, ...late },
    { slot: 3, ...late },
    { slot: 4, ...late },
    { slot: 5, at: 10_000 },
  ])
})

test('given slots that are taken ahead, then each comes once', async () => {
  const virtual = new VirtualClock(genesisTime * 1000)
  const { slots, timer } = slotsOf(virtual)
  await virtual.advance(3_000)
  expect([timer.take(), timer.take()]).toEqual([2, 3])
  await virtual.advance(7_000)
  timer.cancel()
  expect(slots.map(({ slot }) => slot)).toEqual([1, 4, 5])
})

test('given it is cancelled, then no slot comes any more', async () => {
  const virtual = new VirtualClock(genesisTime * 1000)
  const { slots, timer } = slotsOf(virtual)
  await virtual.advance(2_000)
  timer.cancel()
  await virtual.advance(HOUR)
  expect(slots).toEqual([{ slot: 1, at: 2_000 }])
})

test('given a slot that begins between two looks at the clock, then no timer is asked to fire in the past', () => {
  const delays: number[] = []
  let now = genesisTime * 1000 + 3_999
  const clock: Clock = {
    now: () => now++ + 0.5,
    after(delay) {
      delays.push(delay)
      return { cancel() {} }
    },
  }
  paceSlots({ clock, genesisTime, slotTime: 2, onSlot() {} })
  expect(delays).toEqual([0])
})

test('given a start of a minute, then the first slot that is taken is still the first, and later ones are of their time', async () => {
  const clock = new VirtualClock(genesisTime * 1000)
  const slots: number[] = []
  const onSlot = (slot: number) => slots.push(slot)
  const pace = paceSlots({ clock, genesisTime, slotTime: 2, waits: true, onSlot })
  await clock.advance(60_000)
  expect(slots).toEqual([])
  expect(pace.take()).toBe(1)
  await clock.advance(4_000)
  pace.cancel()
  expect(slots).toEqual([30, 31, 32])
})
