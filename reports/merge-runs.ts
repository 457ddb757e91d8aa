import { isJudgement } from './judged-rules.ts'
import {
  type CaseResult,
  isNonStrict,
  type RuleStatus,
  type RunResult,
  worstVerdict,
} from './model.ts'

/** Runs that are no parts of one whole. */
export class RunsConflict extends Error {
  override name = 'RunsConflict'
}

/**
 * The parts of a sharded run as one. Every case may be in one part only; time is the wall clock from
 * the first start to the last end.
 * @throws RunsConflict for no runs, another profile, version, catalogue, build, claims or strictness, a shard
 * that is missing, or a case that is in two parts
 */
export function mergeRuns(runs: readonly RunResult[]): RunResult {
  const [first] = runs
  if (!first) throw new RunsConflict('there are no runs to merge')
  for (const run of runs) {
    requireSame('profile', first.profile, run.profile)
    requireSame('version', first.tool.version, run.tool.version)
    requireSame('catalogue', first.catalogue, run.catalogue)
    requireSame('build', first.build, run.build)
    requireSame('claims', claimsOf(first), claimsOf(run))
  }
  requireWhole(runs)
  const cases = runs.flatMap((run) => run.cases)
  requireOneStrictness(cases)
  requireOnce(cases)
  const starts = runs.map((run) => millisecondsOf(run.startedAt))
  const ends = runs.map((run, index) => starts[index]! + run.duration)
  const begin = Math.min(...starts)
  const { shard: _ofFirst, ...whole } = first
  return {
    ...whole,
    startedAt: runs[starts.indexOf(begin)]!.startedAt,
    duration: Math.max(...ends) - begin,
    targets: Object.assign({}, ...runs.map((run) => run.targets).reverse()),
    driver: runs.find((run) => run.driver !== null)?.driver ?? null,
    cases,
    rules: mergeRules(runs, cases),
    gaps: uniqueBy(
      runs.flatMap((run) => run.gaps),
      (gap) => gap.id,
    ),
    staleExpectations: uniqueBy(
      runs.flatMap((run) => run.staleExpectations),
      ({ pattern, problem }) => `${problem} ${pattern}`,
    ),
    ...(runs.some((run) => run.timelines) && {
      timelines: runs.flatMap((run) => run.timelines ?? []),
    }),
  }
}

/** A shard tells the worst verdict of its own cases only, so it is taken anew over all. */
function mergeRules(runs: readonly RunResult[], cases: readonly CaseResult[]): RuleStatus[] {
  const verdicts = new Map(cases.map((each) => [each.id, each.verdict]))
  const everyRule = runs.flatMap((run) => run.rules)
  return uniqueBy(everyRule, (rule) => rule.id).map(
    ({ verdict: _ofShard, isJudged: _inShard, unjudged: _byShard, ...rule }) => {
      const ofCases = rule.cases.flatMap((id) => verdicts.get(id) ?? [])
      const verdict = worstVerdict(ofCases)
      const isJudged = ofCases.some(isJudgement)
      const reasons = everyRule.flatMap(({ id, unjudged }) =>
        id === rule.id && unjudged ? unjudged : [],
      )
      // Where a case ran, its own reason counts, not that another shard left it out.
      const unjudged = reasons.find((each) => each.flags.length > 0) ?? reasons[0]
      return {
        ...rule,
        ...(verdict && { verdict }),
        isJudged,
        ...(!isJudged && unjudged && { unjudged }),
      }
    },
  )
}

function requireSame(name: string, one: Settled, other: Settled): void {
  if (one !== other)
    throw new RunsConflict(`they differ in ${name}: ${one ?? 'none'} and ${other ?? 'none'}`)
}

type Settled = string | number | undefined

function claimsOf({ claims }: RunResult): string | undefined {
  return claims && [...claims].sort().join(', ')
}

/** No run says whether it was strict; of a `should` that is not met the verdict does. */
function requireOneStrictness(cases: readonly CaseResult[]): void {
  const strict = cases.find(({ level, verdict }) => level !== 'must' && verdict === 'fail')
  const other = cases.find(isNonStrict)
  if (strict && other)
    throw new RunsConflict(`they differ in strictness: ${strict.id} fails, ${other.id} does not`)
}

/** A shard that never ran must not look like one that passed. */
function requireWhole(runs: readonly RunResult[]): void {
  const count = Math.max(0, ...runs.map(({ shard }) => shard?.count ?? 0))
  for (let index = 1; index <= count; index++) {
    const isThere = runs.some(({ shard }) => shard?.index === index && shard.count === count)
    if (!isThere) throw new RunsConflict(`shard ${index}/${count} is missing`)
  }
}

function requireOnce(cases: readonly CaseResult[]): void {
  const seen = new Set<string>()
  for (const { id } of cases) {
    if (seen.has(id)) throw new RunsConflict(`${id} is in two of them`)
    seen.add(id)
  }
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed()
}

function millisecondsOf(time: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: parses a moment of the run, reads no clock
  return Date.parse(time)
}
