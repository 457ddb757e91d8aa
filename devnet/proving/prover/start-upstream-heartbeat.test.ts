import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { Supervisor } from '#devnet/base/process/supervisor'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { startUpstreamHeartbeat } from './start-upstream-heartbeat.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Answer = number | 'refused' | 'late'

function scene() {
  const clock = new VirtualClock()
  const supervisor = new Supervisor({ clock, logger: pino({ level: 'silent' }) })
  const heads: Record<'L1' | 'L2', Answer> = { L1: 1, L2: 1 }
  const upstream = (name: 'L1' | 'L2') => ({
    async request() {
      const head = heads[name]
      if (head === 'refused') throw new Error('connect ECONNREFUSED')
      if (head === 'late') return await new Promise(() => {})
      return head
    },
  })
  const upstreams = { L1: upstream('L1'), L2: upstream('L2') }
  const heartbeat = startUpstreamHeartbeat({ supervisor, upstreams, clock })
  stops.push(() => heartbeat.stop())
  const warned = () => supervisor.health().warnings.map(({ part, problem }) => [part, problem])
  /** Beats in which what answers with numbers has a new block each time, but for `standing`. */
  const beats = async (count: number, standing?: 'L1' | 'L2') => {
    for (let beat = 0; beat < count; beat += 1) {
      for (const name of ['L1', 'L2'] as const) {
        const head = heads[name]
        if (name !== standing && typeof head === 'number') heads[name] = head + 1
      }
      await clock.advance(10_000)
    }
  }
  return { clock, heads, warned, beats }
}

test('given nodes that go on for a day, then nothing is said', async () => {
  const { warned, beats } = scene()
  await beats(8_640)
  expect(warned()).toEqual([])
})

test('given an L1 that stands for a minute, then it is told, until it goes on', async () => {
  const { warned, beats } = scene()
  await beats(1)
  await beats(5, 'L1')
  expect(warned()).toEqual([])
  await beats(1, 'L1')
  expect(warned()).toEqual([['L1', 'no new block for 60 s.']])
  await beats(1)
  expect(warned()).toEqual([])
})

test('given a node that refuses, then it is told at the next beat, with the reason', async () => {
  const { heads, warned, beats } = scene()
  heads.L2 = 'refused'
  await beats(1)
  expect(warned()).toEqual([['L2', 'it does not answer: connect ECONNREFUSED']])
  heads.L2 = 7
  await beats(1)
  expect(warned()).toEqual([])
})

test('given a node that takes a question and stays silent, then it is told after five seconds', async () => {
  const { clock, heads, warned, beats } = scene()
  heads.L1 = 'late'
  await beats(1)
  await clock.advance(4_999)
  expect(warned()).toEqual([])
  await clock.advance(1)
  expect(warned()).toEqual([['L1', 'it does not answer: nothing within 5 s.']])
})
