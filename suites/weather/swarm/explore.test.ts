import { beforeAll, describe, expect, test } from 'vitest'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { faultTimes } from '../checkers/fault-times.ts'
import { parseLog } from '../judge-log.ts'
import { runWeather } from '../run-weather.ts'
import { drawBranch } from './draw-branch.ts'
import { momentOf } from './moment-of.ts'
import type { Place } from './place.ts'
import type { PlayRun } from './play-run.ts'
import { playSwarm } from './play-swarm.ts'
import { SOMETIMES } from './sometimes.ts'
import { toCoverageHtml } from './to-coverage-html.ts'

const SILENT = 'the registry fell silent while a proof ran'
const silence = SOMETIMES.find(({ name }) => name === SILENT)!

let places: Place[]
beforeAll(async () => {
  await using world = await startSimulatedWorld()
  places = world.faults.targets()
})

interface Line {
  t: number
  who: string
  what: string
  data: Record<string, unknown>
}

/** The log of a world in which nothing happens but the faults of its plan, while one proof runs. */
function linesOf({ faults, duration }: FaultPlan): Line[] {
  const lines = faults.flatMap(({ target, fault, at = 0, until = duration }, id): Line[] => [
    { t: at, who: target, what: 'fault.on', data: { id, fault } },
    { t: until, who: target, what: 'fault.off', data: { id } },
  ])
  const asked = { t: 1, who: 'prover.client', what: 'proof.asked', data: { id: 1 } }
  return [asked, ...lines].sort((one, other) => one.t - other.t)
}

/** Breaks where the host ends after the registry was silent. */
const playInARow: PlayRun = async (_, planFor) => {
  const plan = planFor(places)
  const lines = linesOf(plan)
  const isSilent = ({ who, data }: Line) => who === 'registry:l1' && data.fault === 'silent'
  const ends = ({ who, what }: Line) => who === 'process:host' && what === 'fault.on'
  const first = lines.findIndex(isSilent)
  const isBroken = first >= 0 && lines.slice(first).some(ends)
  const violations = isBroken ? [{ checker: 'works-again', t: 1, problem: 'It did not.' }] : []
  const ndjson = lines.map((line) => JSON.stringify(line)).join('\n')
  return { plan, ndjson, violations, duration: plan.duration }
}

test.each([0, 3_000])(
  'given what two rare things in a row break, and the seed %i, then a swarm that branches finds it in a hundred runs, and one that does not has not in more',
  async (seed) => {
    const swarm = { seed, world: {}, shrink: false, play: playInARow }
    const branching = await playSwarm({ ...swarm, runs: 100, explore: 20 })
    expect(branching.failures[0]).toMatchObject({ isBranch: true })
    expect((await playSwarm({ ...swarm, runs: 150 })).failures).toEqual([])
  },
)

test('given a swarm that branches, then its drawn runs are those of one that does not, and each second is a branch while there are any', async () => {
  const seeds = async (explore: number, runs: number) => {
    const plans: FaultPlan[] = []
    const play: PlayRun = async (planned, planFor) => {
      const run = await playInARow(planned, planFor)
      plans.push(run.plan)
      return { ...run, violations: [] }
    }
    const { branches } = await playSwarm({ runs, seed: 5, explore, world: {}, play })
    return { seeds: plans.map(({ seed }) => seed), branches }
  }
  expect(await seeds(0, 4)).toEqual({ seeds: [5, 6, 7, 8], branches: 0 })
  const { seeds: explored, branches } = await seeds(20, 40)
  expect(branches).toBeGreaterThan(10)
  expect(new Set(explored)).toEqual(
    new Set(Array.from({ length: 40 - branches }, (_, at) => 5 + at)),
  )
})

describe('a future', () => {
  const plan: Pick<FaultPlan, 'seed' | 'duration' | 'world' | 'load' | 'faults'> = {
    ...{ seed: 3, duration: 5_000, world: { blockTime: 1 }, load: {} as FaultPlan['load'] },
    faults: [
      { at: 1_000, until: 2_500, target: 'registry:l1', fault: 'silent' },
      { at: 1_500, target: 'process:api', fault: 'kill' },
      { at: 3_000, target: 'process:host', fault: 'kill' },
    ],
  }

  test('given a moment, then what began before stays, and what would come later gives way', () => {
    const branches = Array.from({ length: 20 }, (_, index) =>
      drawBranch({ plan, at: 2_000, begun: [], places }, index + 1),
    )
    for (const { faults, duration } of branches) {
      expect(faults.slice(0, 2)).toEqual(plan.faults.slice(0, 2))
      for (const { at = 0, until = at } of faults.slice(2)) {
        expect(at).toBeGreaterThan(2_000)
        expect(until).toBeLessThan(duration)
      }
    }
    expect(new Set(branches.map(({ faults }) => JSON.stringify(faults))).size).toBe(20)
  })

  test('given a world, then its log is the same until then, byte for byte', async () => {
    const load = { transfers: 120, registrations: 60 }
    const play = async (played: FaultPlan) => {
      const options = { ...optionsFor(played), enclaves: 0, actors: false }
      await using world = await startSimulatedWorld(options)
      const { ndjson } = await runWeather(world, played)
      return parseLog(ndjson).filter(({ t }) => t < 2_000)
    }
    const root = { ...plan, load: { ...plan.load, ...load }, faults: plan.faults.slice(1) }
    const own = places.filter(({ target }) => /^(process:api|disk:api|clock:node)/.test(target))
    const first = drawBranch({ plan: root, at: 2_000, begun: [], places: own }, 1)
    const [one, other] = [
      await play(first),
      await play({ ...first, faults: root.faults.slice(0, 1) }),
    ]
    expect(one.length).toBeGreaterThan(20)
    expect(one).toEqual(other)
  })
})

test('given a log, then the moment of a state is that of the event that makes it one', () => {
  const at = (t: number, who: string, what: string, data = {}) => ({ t, who, what, data })
  const events = [
    at(1, 'registry:l1', 'fault.on', { id: 1, fault: 'silent' }),
    at(2, 'c', 'proof.asked', { id: 7 }),
    at(3, 'registry:l1', 'fault.off', { id: 1 }),
    at(4, 'registry:l1', 'fault.on', { id: 2, fault: 'silent' }),
    at(5, 'node', 'sealed'),
  ]
  expect(silence.isIn(events, faultTimes(events))).toBe(true)
  expect(momentOf(silence, events)).toBe(4)
})

test('given a swarm, then its picture has a cell for each fault and state, and says which never met', async () => {
  const result = await playSwarm({
    runs: 6,
    seed: 1,
    world: {},
    play: playInARow,
    goOn: true,
    shrink: false,
  })
  const html = toCoverageHtml(result)
  const all = places.flatMap((place) => place.faults).length
  const brought = Object.values(result.reached.faults).filter((runs) => runs > 0).length
  expect(html.match(/<td /g)).toHaveLength(brought * SOMETIMES.length)
  // The page's policy lets no style stand at an element.
  expect(html).not.toContain(' style=')
  const never = html.match(/<td class="never">/g)!.length
  const met = brought * SOMETIMES.length - never
  expect(html).toContain(`${met} of ${all * SOMETIMES.length} pairs`)
  const together = Object.values(result.reached.after).flatMap((states) => Object.keys(states))
  expect(together.length).toBe(met)
  expect(together.length).toBeGreaterThan(0)
})
