import { expect, test } from 'vitest'
import { sleep } from '#protocol/clock/clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { TraceRunner } from './trace-runner.ts'
import { withTimeLimit } from './with-time-limit.ts'

const LIMIT = 5_000
const { signal } = new AbortController()

/** Work of so long, for a runner whose thread takes 60 s to start. */
function begin(length: number) {
  const clock = new VirtualClock()
  const starting = sleep(clock, 60_000)
  const tracer = { ready: () => starting } as TraceRunner
  const work = withTimeLimit({ clock, tracer }, LIMIT, signal, async (limited) => {
    await starting
    await sleep(clock, length, limited)
    return 'done'
  })
  work.catch(() => undefined)
  return { clock, work }
}

test('given a thread that starts slowly, then its start does not count', async () => {
  const { clock, work } = begin(LIMIT - 1)
  await clock.advance(60_000 + LIMIT)
  expect(await work).toBe('done')
})

test('given work that takes longer than the limit once it can begin, then it is refused', async () => {
  const { clock, work } = begin(LIMIT + 1)
  await clock.advance(60_000 + LIMIT)
  await expect(work).rejects.toMatchObject({ rpcCode: -32000, message: 'execution timeout' })
})
