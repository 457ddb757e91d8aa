import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { untilAtMost } from './tell-resources.ts'

const MINUTE = 60_000

/** Milliseconds for which a count is waited for; Infinity where it is for longer than two minutes. */
async function waitedFor(most: number, countAt: (ms: number) => number): Promise<number> {
  const clock = new VirtualClock()
  const began = clock.now()
  let waited = Number.POSITIVE_INFINITY
  const count = () => countAt(clock.now() - began)
  void untilAtMost(most, count, clock).then(() => {
    waited = clock.now() - began
  })
  await clock.advance(2 * MINUTE)
  return waited
}

test('given few handles, then nobody waits', async () => {
  expect(await waitedFor(170, () => 170)).toBeLessThan(1_000)
})

test('given connections that close when nobody used them for five seconds, then that long', async () => {
  const waited = await waitedFor(170, (ms) => (ms < 5_000 ? 370 : 70))
  expect(waited).toBeGreaterThanOrEqual(5_000)
  expect(waited).toBeLessThan(MINUTE)
})

test('given what is never closed, then the wait ends all the same', async () => {
  const waited = await waitedFor(170, () => 370)
  expect(waited).toBeGreaterThanOrEqual(MINUTE)
  expect(waited).toBeLessThan(2 * MINUTE)
})
