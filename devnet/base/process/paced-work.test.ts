import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { pacedWork } from './paced-work.ts'

function paced(work: (times: number) => Promise<void> | void) {
  const clock = new VirtualClock(0)
  const listeners = new Set<() => void>()
  let times = 0
  const running = pacedWork({
    async work() {
      times += 1
      await work(times)
    },
    delay: () => 1_000,
    news(look) {
      listeners.add(look)
      return () => listeners.delete(look)
    },
    clock,
    abort: new AbortController(),
    complaint: 'the work fails',
    logger: undefined,
  })
  return {
    clock,
    listeners,
    times: () => times,
    tell: () => {
      for (const look of listeners) look()
    },
    stop: () => running.stop(new Error('the test is over')),
  }
}

describe('pacedWork', () => {
  test('given no news, then the work is done once in each delay', async () => {
    const work = paced(() => {})
    await work.clock.advance(10_500)
    expect(work.times()).toBe(11)
    await work.stop()
  })

  test('given news in a pause, then the work is done at once, and the next pause is a whole one', async () => {
    const work = paced(() => {})
    await work.clock.advance(500)
    work.tell()
    await work.clock.advance(0)
    expect(work.times()).toBe(2)
    await work.clock.advance(999)
    expect(work.times()).toBe(2)
    await work.clock.advance(1)
    expect(work.times()).toBe(3)
    await work.stop()
  })

  test('given news while the work is done, then it is done once more, for it may have missed it', async () => {
    const work = paced((times) => {
      if (times === 1) for (let call = 0; call < 3; call++) work.tell()
    })
    await work.clock.advance(0)
    expect(work.times()).toBe(2)
    await work.stop()
  })

  test('given work that fails, when there is news, then it is tried again at once', async () => {
    const work = paced(() => Promise.reject(new Error('L1 is away')))
    await work.clock.advance(0)
    work.tell()
    await work.clock.advance(0)
    expect(work.times()).toBe(2)
    await work.stop()
  })

  test('given a stop in a pause, then it ends without another time, and nobody listens any more', async () => {
    const work = paced(() => {})
    await work.clock.advance(100)
    await work.stop()
    expect(work.listeners.size).toBe(0)
    work.tell()
    await work.clock.advance(5_000)
    expect(work.times()).toBe(1)
  })
})
