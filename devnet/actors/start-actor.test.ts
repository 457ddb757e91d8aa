import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type Outcome, startActor } from './start-actor.ts'

const busy: Outcome = { kind: 'worked', idle: false }
const idle: Outcome = { kind: 'nothing', idle: true }

/** An actor whose rounds end as scripted; after that it is idle. */
function scripted(script: (Outcome | Error)[]) {
  const clock = new VirtualClock(0)
  const rounds: number[] = []
  const logged: Record<string, unknown>[] = []
  const outcomes: string[] = []
  const actor = startActor({
    name: 'tester',
    rounds: {
      async round() {
        rounds.push(clock.now())
        const next = script[rounds.length - 1] ?? idle
        if (next instanceof Error) throw next
        return next
      },
    },
    ending: new AbortController(),
    clock,
    interval: 1000,
    logger: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    onOutcome: ({ kind }) => void outcomes.push(kind),
  })
  return { clock, actor, rounds, logged, outcomes }
}

describe('an actor', () => {
  test('given work, then its next round follows at once, and after none it waits', async () => {
    const { clock, actor, rounds, outcomes } = scripted([busy, busy, idle])
    await clock.advance(1500)
    expect(rounds).toEqual([0, 0, 0, 1000])
    expect(outcomes).toEqual(['worked', 'worked', 'nothing', 'nothing'])
    await actor.stop()
  })

  test('given failures, then it pauses longer each time, up to a minute, and says why', async () => {
    const failures = Array.from({ length: 8 }, (_, index) => new Error(`no ${index}`))
    const { clock, actor, rounds, logged } = scripted([...failures, idle])
    await clock.advance(200_000)
    const pauses = rounds.slice(1).map((at, index) => at - rounds[index]!)
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(logged[0]).toMatchObject({ actor: 'tester', failures: 1, pause: 2000 })
    await actor.stop()
  })

  test('given a success between failures, then the pauses begin anew', async () => {
    const { clock, actor, rounds } = scripted([new Error(), new Error(), busy, new Error()])
    await clock.advance(8000)
    expect(rounds).toEqual([0, 2000, 6000, 6000, 8000])
    await actor.stop()
  })

  test('given a stop, then no further round runs and no timer is left', async () => {
    const { clock, actor, rounds } = scripted([])
    await clock.advance(0)
    await actor.stop()
    await clock.advance(10_000)
    expect(rounds).toEqual([0])
    expect(clock.nextAlarm()).toBeUndefined()
  })
})
