import { expect, test } from 'vitest'
import { type FaultPlan, parseFaultPlan } from '#devnet/faults/fault-plan'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { Corpus } from '../corpus/corpus.ts'
import type { Failure } from '../corpus/failure.ts'
import { historyOf } from '../corpus/history-of.ts'
import type { Place } from '../swarm/place.ts'
import { playFarm } from './play-farm.ts'

/** Milliseconds of a run. */
const RUN = 60_000
const PLACES: Place[] = [
  { target: 'process:api', faults: ['kill'] },
  { target: 'process:node', faults: ['kill'] },
]

/** Nights of a farm whose world breaks by the faults that `breaks` names. */
function farmOf(breaks: (plan: FaultPlan) => boolean, since = 0) {
  const clock = new VirtualClock(since)
  const played: FaultPlan[] = []
  return {
    played,
    async night(failures: readonly Failure[], build: string, lasts: number) {
      // biome-ignore lint/style/noRestrictedGlobals: it shows a time that the clock told
      const now = () => new Date(clock.now()).toISOString()
      const corpus = new Corpus({ failures, body: 'simulated', build, now })
      const result = await playFarm({
        ...{ corpus, clock, lasts, seed: 1, cpu: () => clock.now() / 2 },
        async play(_, planFor) {
          const plan = planFor(PLACES)
          played.push(plan)
          await clock.advance(RUN)
          const violations = breaks(plan)
            ? [{ checker: 'c', t: 1, problem: `of ${plan.seed}` }]
            : []
          return { plan, violations, ndjson: '', duration: RUN }
        },
      })
      return { ...result, corpus }
    },
  }
}

const killsNode = ({ faults }: FaultPlan) => faults.some(({ target }) => target === 'process:node')

test('given hours, then no run begins after them, and a failure is shrunk once and met again', async () => {
  const { night, played } = farmOf(killsNode)
  const { failures, corpus, playsPerCpuHour } = await night([], 'one', 60 * RUN)
  expect(corpus.failures).toMatchObject([{ problem: 'of N', where: ['process:node'] }])
  expect(corpus.failures[0]!.plan.faults.length).toBe(1)
  expect(failures.length).toBeGreaterThan(5)
  expect(failures.filter(({ shrunk }) => shrunk).length).toBe(1)
  expect(failures.filter(({ known }) => known).length).toBe(failures.length - 1)
  expect(played.length).toBe(60)
  // Half of each minute was CPU.
  expect(playsPerCpuHour).toBeCloseTo(120)
})

test('given what was found before, then it is played first, the oldest first, and is mended where it holds', async () => {
  const first = await farmOf(killsNode).night([], 'one', 40 * RUN)
  const older = parseFaultPlan({ seed: 77, duration: 500 })
  first.corpus.add({ ...older }, [{ checker: 'z', t: 1, problem: 'old' }])
  const [known] = first.corpus.failures
  const aged = first.corpus.failures.map((each) =>
    each.checker === 'z'
      ? { ...each, plays: { zero: { at: '1969-01-01T00:00:00.000Z', broke: true } } }
      : each,
  )
  const { night, played } = farmOf(() => false, 86_400_000)
  const { again, failures, corpus } = await night(aged, 'two', 5 * RUN)
  expect({ again, failures }).toEqual({ again: 2, failures: [] })
  expect(played.slice(0, 2)).toEqual([older, known?.plan])
  expect(played.length).toBe(5)
  expect(corpus.failures.map((each) => historyOf(each).mended?.build)).toEqual(['two', 'two'])
  expect(corpus.broken()).toEqual([])
})
