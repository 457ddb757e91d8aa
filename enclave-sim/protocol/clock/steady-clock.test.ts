import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClockStep, SteadyClock } from './steady-clock.ts'

const HOUR = 3_600_000

function clockOf(start = 1_700_000_000_000) {
  const machine = { wall: start, monotonic: 5 }
  const after = () => ({ cancel() {} })
  const clock = new SteadyClock({
    wall: () => machine.wall,
    monotonic: () => machine.monotonic,
    after,
  })
  const pass = (duration: number) => {
    machine.wall += duration
    machine.monotonic += duration
  }
  const set = (by: number) => {
    machine.wall += by
  }
  const steps: ClockStep[] = []
  clock.onStep((step) => steps.push(step))
  return { clock, pass, set, steps, start }
}

describe('SteadyClock', () => {
  test('given nobody touches the wall clock, then it is the wall clock', () => {
    const { clock, pass, steps, start } = clockOf()
    pass(1_234)
    expect(clock.now()).toBe(start + 1_234)
    expect(steps).toEqual([])
  })

  test('given a wall clock put back by an hour, then time goes on at its pace, and it says so once', () => {
    const { clock, pass, set, steps, start } = clockOf()
    set(-HOUR)
    expect(clock.now()).toBe(start)
    pass(2_000)
    expect(clock.now()).toBe(start + 2_000)
    expect(steps).toEqual([{ by: -HOUR, ahead: HOUR }])
  })

  test('given a wall clock put back and right again, then both are one again', () => {
    const { clock, pass, set, steps, start } = clockOf()
    set(-HOUR)
    pass(1_000)
    clock.now()
    set(HOUR)
    pass(1_000)
    expect(clock.now()).toBe(start + 2_000)
    expect(steps.map(({ ahead }) => ahead)).toEqual([HOUR, 0])
  })

  test('given a machine that slept, then time is where the wall clock is', () => {
    const { clock, set, steps, start } = clockOf()
    set(8 * HOUR)
    expect(clock.now()).toBe(start + 8 * HOUR)
    expect(steps).toEqual([{ by: 8 * HOUR, ahead: 0 }])
  })

  test('given a wall clock that is slowly pulled right, then time follows without a word', () => {
    const { clock, pass, set, steps, start } = clockOf()
    for (let second = 0; second < 10_000; second++) {
      pass(1_000)
      set(-0.5)
      clock.now()
    }
    expect(clock.now()).toBeCloseTo(start + 10_000 * 999.5, -1)
    expect(steps).toEqual([])
  })

  test('given one that is pulled right by parts of a millisecond, then milliseconds are whole', () => {
    const { clock, pass, set } = clockOf()
    for (let look = 0; look < 500; look++) {
      pass(10.3)
      set(-0.7)
      expect(Number.isInteger(clock.now())).toBe(true)
    }
  })

  test('given a listener that left, then it hears nothing more', () => {
    const { clock, set } = clockOf()
    const heard: ClockStep[] = []
    clock.onStep((step) => heard.push(step))()
    set(-HOUR)
    clock.now()
    expect(heard).toEqual([])
  })
})

test('given many steps back that are each too small to count, then time keeps pace', () => {
  const { clock, pass, set } = clockOf()
  let last = clock.now()
  for (let index = 0; index < 10; index++) {
    set(-15)
    pass(10)
    last = clock.now()
  }
  pass(1_000)
  expect(clock.now() - last).toBeGreaterThanOrEqual(980)
})

test('given a wall clock that is set at will, then time never goes back and keeps pace', () => {
  const day = 24 * HOUR
  fc.assert(
    fc.property(
      fc.array(fc.record({ passes: fc.nat(10_000), jumps: fc.integer({ min: -day, max: day }) }), {
        maxLength: 60,
      }),
      (events) => {
        const { clock, pass, set } = clockOf()
        let last = clock.now()
        for (const { passes, jumps } of events) {
          set(jumps)
          pass(passes)
          const now = clock.now()
          // Two looks may differ by rounding, which is never made up for by standing still for long.
          expect(now - last).toBeGreaterThanOrEqual(Math.max(0, passes - 20))
          last = now
        }
      },
    ),
  )
})
