import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Progress } from '#suites/gate/conformance/index'
import { JudgingProgress } from './judging-progress.ts'

function paper(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => void written.push(text) }
}

const progress = (done: number, underWay: string[]) =>
  ({ done, total: 40, underWay: new Set(underWay) }) as unknown as Progress

test('given no terminal, when a run takes long, then each half minute a line says how far it is and what it waits for', async () => {
  const clock = new VirtualClock()
  const log = paper(false)
  const judging = new JudgingProgress(clock, log)
  judging.begin()
  judging.take(progress(12, ['a.01', 'b.01', 'c.01', 'd.01', 'e.01', 'f.01', 'g.01']))
  expect(log.written).toEqual([])
  await clock.advance(30_000)
  const first = '12/40 cases after 30 s, under way: a.01, b.01, c.01, d.01, e.01 and 2 more\n'
  expect(log.written).toEqual([first])
  judging.take(progress(40, []))
  await clock.advance(30_000)
  expect(log.written).toEqual([first, '40/40 cases after 60 s\n'])
  judging.end()
  await clock.advance(300_000)
  expect(log.written).toHaveLength(2)
})

test('given a terminal, when cases have their verdicts, then one line is written anew, and is left at the end', async () => {
  const clock = new VirtualClock()
  const screen = paper(true)
  const judging = new JudgingProgress(clock, screen)
  judging.begin()
  judging.take(progress(1, ['a.01', 'b.01']))
  await clock.advance(1_000)
  judging.end()
  expect(screen.written).toEqual([
    '\r1/40 cases after 0 s, under way: a.01 and 1 more\x1b[K',
    '\r1/40 cases after 1 s, under way: a.01 and 1 more\x1b[K',
    '\n',
  ])
})

test('given a terminal, when a run ends before any case has its verdict, then its line is left, too', async () => {
  const clock = new VirtualClock()
  const screen = paper(true)
  const judging = new JudgingProgress(clock, screen)
  judging.begin()
  await clock.advance(1_000)
  judging.end()
  expect(screen.written).toEqual(['\rno case has a verdict after 1 s\x1b[K', '\n'])
})

test('given a run that is interrupted, then the error names what it waited for', () => {
  const judging = new JudgingProgress(new VirtualClock(), paper(false))
  expect(judging.interrupted()).toMatchObject({
    code: 'INTERRUPTED',
    message: 'Interrupted: no case has a verdict after 0 s.',
  })
  judging.take(progress(39, ['rpc.slow.01']))
  expect(judging.interrupted().message).toBe(
    'Interrupted: 39/40 cases after 0 s, under way: rpc.slow.01.',
  )
})
