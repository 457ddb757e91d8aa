import { describe, expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { TravelClock } from './travel-clock.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = 1_700_000_000_000

function clockOf({ isManual = false, settled = async () => {} } = {}) {
  const machine = new VirtualClock(5_000)
  const clock = new TravelClock({ machine, start: START, isManual, settled })
  const heard: string[] = []
  const say = (what: string) => () => heard.push(`${what} ${clock.now() - START}`)
  return { machine, clock, heard, say }
}

describe('given a clock that keeps the pace of the machine', () => {
  test('when nobody travels, then alarms come with the machine', async () => {
    const { machine, clock, heard, say } = clockOf()
    clock.after(200, say('a'))
    clock.after(100, say('b')).cancel()
    await machine.advance(199)
    expect(heard).toEqual([])
    await machine.advance(1)
    expect(heard).toEqual(['a 200'])
  })

  test('when somebody travels, then alarms come in order at their times, and the pace goes on from there', async () => {
    const { machine, clock, heard, say } = clockOf()
    clock.after(2_000, say('late'))
    clock.after(1_000, () => {
      say('early')()
      clock.after(500, say('between'))
    })
    clock.after(3_000, say('after it'))
    await clock.travel(2_500)
    expect(heard).toEqual(['early 1000', 'between 1500', 'late 2000'])
    expect(clock.now() - START).toBe(2_500)
    await machine.advance(500)
    expect(heard.at(-1)).toBe('after it 3000')
  })

  test('when two travel at once, then one goes after the other', async () => {
    const { clock } = clockOf()
    await Promise.all([clock.travel(1_000), clock.travel(500)])
    expect(clock.now() - START).toBe(1_500)
  })
})

describe('given a manual clock', () => {
  test('when the machine goes on, then time stands still but for journeys', async () => {
    const { machine, clock, heard, say } = clockOf({ isManual: true })
    clock.after(100, say('a'))
    await machine.advance(10_000)
    expect([clock.now() - START, heard]).toEqual([0, []])
    await clock.travelTo(START + 100)
    expect(heard).toEqual(['a 100'])
    await machine.advance(10_000)
    expect(clock.now() - START).toBe(100)
  })

  test('when work is under way, then nothing falls due before it has settled', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { clock, heard, say } = clockOf({ isManual: true, settled: () => promise })
    clock.after(0, say('a'))
    const journey = clock.travel(1)
    await Promise.resolve()
    expect(heard).toEqual([])
    resolve()
    await journey
    expect(heard).toEqual(['a 0'])
  })

  test('when a signal ends a journey, then time stays where it is, and the journey fails by name', async () => {
    const { clock } = clockOf({ isManual: true })
    const leaving = new AbortController()
    clock.after(1_000, () => leaving.abort())
    await expect(clock.travel(60_000, leaving.signal)).rejects.toMatchObject({
      code: 'TIME_CUT_SHORT',
    })
    expect(clock.now() - START).toBe(1_000)
  })

  test('when it is released, then it goes on with the machine', async () => {
    const { machine, clock, heard, say } = clockOf({ isManual: true })
    clock.after(100, say('a'))
    clock.release()
    await machine.advance(100)
    expect(heard).toEqual(['a 100'])
  })

  test('when it is released on a journey, then that one and later ones fail and say what time it is', async () => {
    const { clock } = clockOf({ isManual: true })
    clock.after(1_000, () => clock.release())
    const [cut, next] = await Promise.allSettled([clock.travel(60_000), clock.travelTo(START + 9)])
    expect(cut).toMatchObject({
      reason: {
        code: 'TIME_CUT_SHORT',
        message: expect.stringContaining(`it is ${START / 1000 + 1} `),
      },
    })
    expect(next).toMatchObject({ reason: { code: 'TIME_CUT_SHORT' } })
    expect(clock.now() - START).toBe(1_000)
  })

  test('when somebody only looks, then he looks less often on a journey, and as before after it', async () => {
    const { machine, clock } = clockOf()
    const looks = clock.forLooks((journey) => journey / 10)
    let count = 0
    const look = () => {
      count += 1
      looks.after(10, look)
    }
    look()
    await clock.travel(10_000)
    expect(count).toBeLessThanOrEqual(12)
    const before = count
    await machine.advance(2_000)
    expect(count - before).toBeGreaterThan(90)
  })
})

test('given a machine on which time passes between two looks, when something is due at once, then no timer is asked to fire in the past', () => {
  const delays: number[] = []
  let now = 5_000
  const machine: Clock = {
    now: () => now++,
    after(delay) {
      delays.push(delay)
      return { cancel() {} }
    },
  }
  const clock = new TravelClock({ machine, settled: async () => {} })
  clock.after(0, () => {})
  clock.after(3, () => {})
  expect(delays).toEqual([0, 2])
})
