import { describe, expect, test } from 'vitest'
import { sleep } from '#protocol/clock/clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { ConformanceCase, Scene } from './conformance-case.ts'
import { runConformance } from './run-conformance.ts'
import { TimeLimit } from './time-limit.ts'
import { turnsOf } from './wire/turns-of.ts'

describe('given a limit of a second', () => {
  const start = () => {
    const clock = new VirtualClock(0)
    const limit = new TimeLimit(clock, 1_000, () => new Error('late'))
    const never = new Promise<never>(() => {})
    const state = { isOver: false }
    limit.hold(never).catch(() => {
      state.isOver = true
    })
    return { clock, limit, state }
  }

  test('when it is not paused, then it is over after a second', async () => {
    const { clock, limit, state } = start()
    await clock.advance(999)
    expect(state.isOver).toBe(false)
    await clock.advance(1)
    expect(state.isOver).toBe(true)
    expect(limit.spent).toBe(1_000)
  })

  test('when two pauses overlap, then it goes on after the last, with what was left', async () => {
    const { clock, limit, state } = start()
    await clock.advance(400)
    const first = limit.pause()
    const second = limit.pause()
    await clock.advance(5_000)
    first()
    first()
    await clock.advance(5_000)
    second()
    expect([limit.spent, limit.share]).toEqual([400, 0.4])
    await clock.advance(599)
    expect(state.isOver).toBe(false)
    await clock.advance(1)
    expect(state.isOver).toBe(true)
  })

  test('when it is ended, then it is never over', async () => {
    const { clock, limit, state } = start()
    limit.end()
    await clock.advance(5_000)
    expect(state.isOver).toBe(false)
    expect(limit.spent).toBe(0)
  })

  test('when a pause ends after it was ended, then it does not begin again', async () => {
    const { clock, limit, state } = start()
    const goOn = limit.pause()
    limit.end()
    goOn()
    expect(clock.nextAlarm()).toBeUndefined()
    await clock.advance(5_000)
    expect([state.isOver, limit.spent]).toEqual([false, 0])
  })

  test('when its work waits for a turn, then only the work counts', async () => {
    const { clock, limit, state } = start()
    const inTurn = turnsOf(1)
    const before = Promise.withResolvers<void>()
    const earlier = inTurn(() => before.promise)
    let isDone = false
    const own = inTurn(async () => {
      isDone = true
    }, limit)
    await clock.advance(60_000)
    expect([isDone, state.isOver]).toEqual([false, false])
    before.resolve()
    await Promise.all([earlier, own])
    expect(isDone).toBe(true)
    await clock.advance(1_000)
    expect(state.isOver).toBe(true)
  })
})

describe('given a limit of three seconds for work that may be slow', () => {
  const start = (goesOn: () => boolean) => {
    const clock = new VirtualClock(0)
    const limit = new TimeLimit(clock, 3_000, ({ spent }) => new Error(`late by ${spent}`), goesOn)
    const ended = limit.hold(new Promise<never>(() => {})).catch((error: Error) => error.message)
    return { clock, ended }
  }

  test('when it stays slow, then it is over after four times as long', async () => {
    const { clock, ended } = start(() => true)
    await clock.advance(60_000)
    expect(await ended).toBe('late by 12000')
  })

  test('when it is stuck in the end, then it is over a third of the limit later', async () => {
    let isSlow = true
    const { clock, ended } = start(() => isSlow)
    await clock.advance(3_500)
    isSlow = false
    await clock.advance(60_000)
    expect(await ended).toBe('late by 4000')
  })

  test('when it was stuck from the first, then it is over then', async () => {
    const { clock, ended } = start(() => false)
    await clock.advance(60_000)
    expect(await ended).toBe('late by 3000')
  })
})

describe('given a case that may take a second and a scene that it waits for', () => {
  async function verdictWith({ scene, own }: { scene: number; own: number }) {
    const clock = new VirtualClock(0)
    const slow: Scene<void> = {
      name: 'slow',
      kind: 'observation',
      build: () => sleep(clock, scene),
    }
    const waits: ConformanceCase = {
      id: 'rpc.envelope.waits.01',
      title: 'Waits',
      area: 'envelope',
      rules: ['RPC-ENV-12'],
      needs: [],
      rationale: 'To see what counts.',
      timeout: 1_000,
      run: async (t) => {
        await t.scene(slow)
        await sleep(clock, own)
      },
    }
    const run = runConformance({ targets: {}, cases: [waits], clock })
    await clock.advance(scene + own + 1_000)
    const [judged] = (await run).cases
    return [judged!.verdict, judged!.reason, judged!.duration]
  }

  test('when the scene takes a minute, then only the case counts', async () => {
    expect(await verdictWith({ scene: 60_000, own: 900 })).toEqual(['pass', undefined, 900])
  })

  test('when the case takes longer, then there is no verdict', async () => {
    const late = ['unknown', 'No verdict within 1 s.', 1_000]
    expect(await verdictWith({ scene: 60_000, own: 1_001 })).toEqual(late)
  })

  test('when the scene waits for three others of a minute each, then each has its own two minutes', async () => {
    const clock = new VirtualClock(0)
    const sceneUpon = (name: string, before?: Scene<void>): Scene<void> => ({
      name,
      kind: 'observation',
      async build(t) {
        if (before) await t.scene(before)
        await sleep(clock, 60_000)
      },
    })
    const last = sceneUpon('fourth', sceneUpon('third', sceneUpon('second', sceneUpon('first'))))
    const waits: ConformanceCase = {
      id: 'rpc.envelope.waits.01',
      title: 'Waits',
      area: 'envelope',
      rules: ['RPC-ENV-12'],
      needs: [],
      rationale: 'To see what counts.',
      run: (t) => t.scene(last),
    }
    const run = runConformance({ targets: {}, cases: [waits], clock })
    await clock.advance(300_000)
    expect((await run).cases[0]).toMatchObject({ verdict: 'pass' })
  })

  test('when the scene takes more than two minutes, then there is none either', async () => {
    const late = ['unknown', 'No verdict within 120 s.', 0]
    expect(await verdictWith({ scene: 120_001, own: 0 })).toEqual(late)
  })
})
