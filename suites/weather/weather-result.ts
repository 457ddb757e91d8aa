import type { CaseResult, RunResult } from '#reports/model'
import { CHECKERS, parseLog } from './judge-log.ts'
import type { WeatherRun } from './run-weather.ts'
import { timelineOf } from './timeline-of.ts'

export interface PlayedWeather {
  name: string
  story: string
  rules: readonly string[]
  run: WeatherRun
  /** One pasteable line. */
  repro: string
}

/** Runs in bad weather as one result, for every writer of reports: a case for each checker of each run. */
export function weatherResult(
  played: readonly PlayedWeather[],
  about: { version: string; startedAt: string; body: 'real' | 'simulated'; duration: number },
): RunResult {
  return {
    schema: 'rollbed.run/1',
    tool: { name: 'rollbed', version: about.version },
    startedAt: about.startedAt,
    duration: about.duration,
    profile: 'spec',
    targets: { world: about.body },
    driver: null,
    cases: played.flatMap(casesOf),
    rules: [],
    gaps: [],
    staleExpectations: [],
    timelines: played.map(({ name, run }) =>
      timelineOf(name, parseLog(run.ndjson), run.violations),
    ),
  }
}

function casesOf({ name, story, rules, run, repro }: PlayedWeather): CaseResult[] {
  return CHECKERS.map(({ name: checker, says }): CaseResult => {
    const [first, ...more] = run.violations.filter((each) => each.checker === checker)
    return {
      id: `weather.${name}.${checker}`,
      title: `${name}: ${says}`,
      area: 'weather',
      surface: 'world',
      level: 'must',
      rules,
      rationale: story,
      verdict: first ? 'fail' : 'pass',
      ...(first && {
        reason: `${first.problem} (at ${first.t} ms${more.length ? `, and ${more.length} more` : ''})`,
        failure: { at: `${first.t} ms`, expected: says, actual: first.problem },
      }),
      exchanges: [],
      exchangesDropped: 0,
      duration: run.duration,
      repro,
    }
  })
}
