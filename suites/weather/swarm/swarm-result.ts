import type { CaseResult, RunResult } from '#reports/model'
import { againBy } from '../again-by.ts'
import { CHECKERS, parseLog } from '../judge-log.ts'
import { timelineOf } from '../timeline-of.ts'
import type { SwarmFailure, SwarmResult } from './play-swarm.ts'
import { SOMETIMES } from './sometimes.ts'
import { missingByTarget } from './summarise-swarm.ts'

/** Pictures of runs that failed in one report. */
const MOST_TIMELINES = 5

export interface SwarmAbout {
  version: string
  startedAt: string
  /** Milliseconds. */
  duration: number
  body: 'real' | 'simulated'
  seed: number
  shard: { index: number; of: number }
}

/**
 * A swarm, or one part of it, as one result for every writer of reports and for `report merge`: a case
 * for each sentence that must hold, for each state that should be reached, and for each target.
 */
export function swarmResult(swarm: SwarmResult, about: SwarmAbout): RunResult {
  const { version, startedAt, duration, body, shard } = about
  return {
    schema: 'rollbed.run/1',
    tool: { name: 'rollbed', version },
    startedAt,
    duration,
    profile: 'spec',
    ...(shard.of > 1 && { shard: { index: shard.index + 1, count: shard.of } }),
    targets: { world: body },
    driver: null,
    cases: [
      ...checkerCases(swarm, about),
      ...sometimesCases(swarm, about),
      ...targetCases(swarm, about),
    ],
    rules: [],
    gaps: [],
    staleExpectations: [],
    timelines: swarm.failures
      .slice(0, MOST_TIMELINES)
      .map(({ seed, ndjson, violations }) =>
        timelineOf(`seed ${seed}`, parseLog(ndjson), violations),
      ),
  }
}

function checkerCases({ played, failures }: SwarmResult, about: SwarmAbout): CaseResult[] {
  return CHECKERS.map(({ name, says }) => {
    const failed = failures.filter(({ violations }) => brokenBy(violations, name))
    const [first] = failed
    const problem = first && brokenBy(first.violations, name)!
    return {
      ...caseOf(`checker.${name}`, `in ${played} runs: ${says}`, about),
      ...(first &&
        problem && {
          verdict: 'fail' as const,
          reason: `${problem.problem} (seed ${first.seed}, ${problem.t} ms; ${failed.length} runs in all)`,
          failure: { at: `seed ${first.seed}`, expected: says, actual: problem.problem },
          repro: againBy(smallest(first), about.body),
        }),
    }
  })
}

const smallest = ({ shrunk, plan }: SwarmFailure) => shrunk?.plan ?? plan
const brokenBy = (violations: SwarmFailure['violations'], name: string) =>
  violations.find(({ checker }) => checker === name)

/** A state that was never reached is a finding: less was proven than it seems. */
function sometimesCases({ played, reached }: SwarmResult, about: SwarmAbout): CaseResult[] {
  return SOMETIMES.map(({ name }) => {
    const count = reached.sometimes[name] ?? 0
    return {
      ...caseOf(`sometimes.${name.replaceAll(' ', '-')}`, `in ${count} runs ${name}`, about),
      level: 'should' as const,
      ...(count === 0 && neverIn(played, 'reached')),
    }
  })
}

function targetCases({ played, reached }: SwarmResult, about: SwarmAbout): CaseResult[] {
  const missing = new Map(
    missingByTarget(reached.faults).map(({ target, names }) => [target, names]),
  )
  const targets = new Set(Object.keys(reached.faults).map((name) => name.split(' ')[0]!))
  return [...targets].map((target) => {
    const names = missing.get(target) ?? []
    return {
      ...caseOf(`target.${target}`, `every fault of ${target} was brought about`, about),
      level: 'should' as const,
      ...(names.length > 0 && neverIn(played, `brought about: ${names.join(', ')}`)),
    }
  })
}

const neverIn = (played: number, what: string) => ({
  verdict: 'non-strict' as const,
  reason: `Never ${what} in ${played} runs.`,
})

/** Ids differ between the parts of a swarm, whose reports are merged. */
function caseOf(id: string, title: string, { seed, shard, body }: SwarmAbout): CaseResult {
  const part = shard.of > 1 ? `.${shard.index + 1}-of-${shard.of}` : ''
  return {
    id: `weather.swarm${part}.${id}`,
    title,
    area: 'weather',
    surface: 'world',
    level: 'must',
    rules: [],
    rationale: 'Random faults under random load, run after run.',
    verdict: 'pass',
    exchanges: [],
    exchangesDropped: 0,
    duration: 0,
    repro: `rollbed fault swarm --seed ${seed} --shard ${shard.index}/${shard.of}${body === 'real' ? ' --real' : ''}`,
  }
}
