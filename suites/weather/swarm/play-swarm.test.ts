import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from '#devnet/cli/run'
import type { FaultName } from '#devnet/faults/fault-catalogue'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { mergeRuns, parseRun } from '#reports/index'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { drawCount, drawnBy } from '../drawn-by.ts'
import { CHECKERS, parseLog } from '../judge-log.ts'
import { drawPlan } from './draw-plan.ts'
import type { Place } from './place.ts'
import { playSwarm, type SwarmResult } from './play-swarm.ts'
import { Reached } from './reached.ts'
import { SOMETIMES } from './sometimes.ts'
import { summariseSwarm } from './summarise-swarm.ts'
import { swarmResult } from './swarm-result.ts'

/** Of the swarm that is played in shards; four every night. */
const RUNS = drawCount(drawnBy, 4, 1 / 2)

let places: Place[]
let out: string
let lines: string[]
let errors: string[]
beforeEach(async () => {
  out = mkdtempSync(join(tmpdir(), 'swarm-'))
  lines = []
  errors = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation((line) => void errors.push(String(line)))
  if (places) return
  await using world = await startSimulatedWorld()
  places = world.faults.targets()
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(out, { recursive: true, force: true })
})

/** As if so many runs had brought each of these faults about. */
function reachedBy(runs: number, target: string, ...faults: FaultName[]): Reached {
  const reached = new Reached()
  const lines = faults.flatMap((fault, id) => [
    { t: 1, who: target, what: 'fault.on', data: { id, fault, with: {} } },
    { t: 2, who: target, what: 'fault.off', data: { id, fault } },
  ])
  const events = parseLog(lines.map((line) => JSON.stringify(line)).join('\n'))
  for (let index = 0; index < runs; index++) reached.add(events)
  return reached
}

describe('a plan that is drawn', () => {
  test('given a seed, then it is always the same, and another seed has another', () => {
    expect(drawPlan(7, places)).toEqual(drawPlan(7, places))
    const plans = Array.from({ length: 50 }, (_, seed) => drawPlan(seed, places))
    expect(new Set(plans.map(({ faults }) => JSON.stringify(faults))).size).toBe(50)
    expect(plans.some(({ load }) => load.proofs === 0)).toBe(true)
    expect(plans.some(({ load }) => load.proofs > 0)).toBe(true)
  })

  test('given what was met often, then it is drawn less', () => {
    const target = 'process:host'
    const two: Place[] = [
      { target, faults: ['kill'] },
      { target: 'process:api', faults: ['kill'] },
    ]
    const drawn = (reached: Reached) =>
      Array.from({ length: 200 }, (_, seed) => drawPlan(seed, two, reached)).flatMap(({ faults }) =>
        faults.filter((fault) => fault.target === target),
      ).length
    expect(drawn(reachedBy(50, target, 'kill'))).toBeLessThan(drawn(new Reached()) / 4)
  })

  test('given a state that was never reached, then what leads to it is drawn', () => {
    const plans = Array.from({ length: 300 }, (_, seed) => drawPlan(seed, places))
    const aimed = plans.filter(({ faults }) =>
      faults.some(({ when }) => when === 'enclave.16 compared'),
    )
    expect(aimed.length).toBeGreaterThan(0)
    expect(aimed.every(({ load }) => load.proofs > 0)).toBe(true)
  })
})

describe('a swarm', () => {
  test('given shards, then each run is played in one of them, and reports merge to one', async () => {
    const parts: SwarmResult[] = []
    // One after the other: worlds of one thread would wait for each other to be idle.
    for (const index of [0, 1]) {
      const shard = { index, of: 2 }
      parts.push(await playSwarm({ runs: RUNS, seed: 100, shard, shrink: false }))
    }
    expect(parts.reduce((sum, { played }) => sum + played, 0)).toBe(RUNS)
    const broken = parts.flatMap(({ failures }) => failures)
    expect(broken.map(({ seed, violations }) => ({ seed, violations }))).toEqual([])
    const results = parts.map((part, index) =>
      swarmResult(part, {
        ...{ version: '1', startedAt: '2026-01-01T00:00:00.000Z', duration: 5, seed: 100 },
        ...{ body: 'simulated' as const, shard: { index, of: 2 } },
      }),
    )
    const merged = mergeRuns(results.map((result) => parseRun(JSON.stringify(result))))
    expect(merged.cases.length).toBe(results[0]!.cases.length + results[1]!.cases.length)
    const verdicts = new Set(merged.cases.map(({ verdict }) => verdict))
    expect(verdicts).toEqual(new Set(['pass', 'non-strict']))
  })

  test('given a checker that fails, then it is told at once, and in the end exit 1, the least plan, a line to repeat it by, and reports', async () => {
    const wasPrinted: boolean[] = []
    vi.spyOn(CHECKERS[0]!, 'safety').mockImplementation(() => {
      wasPrinted.push(errors.join('\n').includes('planted'))
      return [{ t: 5, problem: 'planted' }]
    })
    const args = ['--runs', '3', '--seed', '100', '--out', out, '--json']
    expect(await run(['fault', 'swarm', ...args])).toBe(1)
    expectFitsSchema('fault swarm', lines.join('\n'))
    const printed = errors.join('\n')
    expect(printed).toMatch(
      /planted\n {2}First by what the sequencer put out.\nSeed 100: \d faults, shrunk to 0 in \d+ plays/,
    )
    // The second judgement is of the first plan that is smaller.
    expect(wasPrinted.slice(0, 2)).toEqual([false, true])
    expect(printed).toContain(`Again: rollbed fault run --plan '{"seed":100,"duration":`)
    expect(readFileSync(join(out, 'events.ndjson'), 'utf8')).toContain('"what":"probe.done"')
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toMatchObject({ seed: 100 })
    const [, plan] = /--plan '(.*)'/.exec(printed)!
    expect(JSON.parse(readFileSync(join(out, 'shrunk.json'), 'utf8'))).toMatchObject({
      ...JSON.parse(plan!),
      faults: [],
    })
    expect(readdirSync(out).filter((name) => name.startsWith('conformance.')).length).toBe(7)
    const report = parseRun(readFileSync(join(out, 'conformance.json'), 'utf8'))
    const failed = report.cases.filter(({ verdict }) => verdict === 'fail')
    expect(failed).toMatchObject([
      { reason: expect.stringContaining('planted'), repro: expect.stringContaining(plan!) },
    ])
    // And the line does repeat it.
    expect(await run(['fault', 'run', '--plan', plan!])).toBe(1)
  })

  test('given a plan that breaks something by one of its faults, when it is shrunk, then exit 1 and the plan with that fault alone', async () => {
    vi.spyOn(CHECKERS[0]!, 'safety').mockImplementation((events) =>
      events
        .filter(({ who, what }) => who === 'link:client-l1' && what === 'fault.on')
        .map(({ t }) => ({ t, problem: 'planted' })),
    )
    const faults = [
      { at: 500, until: 900, target: 'link:client-api', fault: 'latency' },
      { at: 500, until: 1_000, target: 'link:client-l1', fault: 'down' },
    ]
    const plan = { duration: 1_500, world: { blockTime: 1 }, load: { transfers: 60 }, faults }
    const least = join(out, 'least.json')
    expect(await run(['fault', 'shrink', JSON.stringify(plan), '--out', least, '--json'])).toBe(1)
    expectFitsSchema('fault shrink', lines.join('\n'))
    expect(lines.join('\n')).toContain('planted')
    expect(JSON.parse(readFileSync(least, 'utf8'))).toMatchObject({
      load: { transfers: 0 },
      faults: [{ target: 'link:client-l1', fault: 'down' }],
    })
  })

  test('given a plan that breaks nothing, when it is shrunk, then exit 0 says so', async () => {
    expect(await run(['fault', 'shrink', '{"duration":500}'])).toBe(0)
    expect(lines.join('\n')).toContain('Nothing to shrink')
    lines = []
    expect(await run(['fault', 'run', '--plan', '{"duration":500}', '--json'])).toBe(0)
    expectFitsSchema('fault run', lines.join('\n'))
  })

  test.each(['4/4', '1', 'a/b'])('given the shard %s, then exit 2', async (shard) => {
    expect(await run(['fault', 'swarm', '--runs', '1', '--shard', shard])).toBe(2)
  })
})

test('given what was never reached, then the summary stays short and names it', () => {
  const reached = new Reached()
  reached.know(places)
  const swarm: SwarmResult = {
    ...{ played: 9, branches: 0, again: 0 },
    ...{ reached: reached.counts(), failures: [] },
  }
  const lines = summariseSwarm(swarm).split('\n')
  expect(lines.length).toBeLessThanOrEqual(5)
  expect(lines[0]).toBe('9 runs, 0 of them broke something.')
  expect(lines[1]).toContain(`0 of ${SOMETIMES.length}`)
  expect(lines.at(-1)!.length).toBeLessThan(400)
})
