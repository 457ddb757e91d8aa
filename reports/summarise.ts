import { describeTarget } from './describe-target.ts'
import { diffValues } from './diff-values.ts'
import { totalsOf } from './head-of-run.ts'
import { describeNotJudged } from './judged-rules.ts'
import {
  type CaseResult,
  countVerdicts,
  isFailing,
  isNonStrict,
  type RunResult,
  VERDICTS,
} from './model.ts'
import { plural } from './plural.ts'

const MARKS = { both: ' ', expected: '-', actual: '+' }
const MAX_DIFF_LINES = 30

/** What a terminal shows after a run: failures in full, then what is not strict, then counts. Plain text. */
export function summarise(result: RunResult): string {
  const failing = result.cases.filter((each) => isFailing(each.verdict))
  const { alone, together } = groupUnknown(failing)
  const stale = result.staleExpectations.map(
    ({ pattern, problem, reason }) => `stale expectation ${pattern}: ${problem} (${reason})`,
  )
  const lines = [
    ...alone.map(describeFailure),
    ...together.map(describeUnknown),
    ...result.cases.filter(isNonStrict).map(describeFailure),
    ...stale,
  ]
  return [...lines, describeCounts(result)].join('\n\n')
}

/** Many cases without a verdict for one reason, such as a rate limit, are told once. */
function groupUnknown(failing: readonly CaseResult[]): {
  alone: CaseResult[]
  together: CaseResult[][]
} {
  const groups = Map.groupBy(failing, ({ verdict, reason, id }) =>
    verdict === 'unknown' && reason ? reason : id,
  )
  const together = [...groups.values()].filter((group) => group.length > 1)
  const grouped = new Set(together.flat())
  return { alone: failing.filter((each) => !grouped.has(each)), together }
}

function describeUnknown(group: readonly CaseResult[]): string {
  const [{ reason, repro }] = group as [CaseResult]
  const ids = group.map(({ id }) => `    ${id}`)
  return [`UNKNOWN ${plural(group.length, 'case')}: ${reason}`, ...ids, `  ${repro}`].join('\n')
}

/** Why cases were not judged, the commonest reason first. */
function describeNotApplicable(cases: readonly CaseResult[]): string[] {
  const skipped = cases.filter(({ verdict }) => verdict === 'not-applicable')
  return Object.entries(Object.groupBy(skipped, ({ reason }) => reason ?? ''))
    .map(([reason, group = []]) => ({ reason, count: group.length }))
    .sort((a, b) => b.count - a.count)
    .map(({ reason, count }) => `not-applicable, ${count}: ${reason}`)
}

/** What cases tell beside their verdicts. */
export function describeNotes({ cases }: RunResult): string[] {
  return cases.flatMap(({ id, note }) => (note ? [`note, ${id}: ${note}`] : []))
}

/** One case that fails or is not strict, with rules, difference and repro command. */
export function describeFailure(result: CaseResult): string {
  const { failure } = result
  const head = [
    `${result.verdict.toUpperCase()} ${result.id} [${result.rules.join(' ')}]`,
    `  ${result.title}`,
  ]
  const difference = failure
    ? [
        `  at ${failure.at}   (- expected, + actual)`,
        ...describeDifference(failure.expected, failure.actual),
      ]
    : result.reason
      ? [`  ${result.reason}`]
      : []
  const hint = failure?.hint ? [`  ${failure.hint}`] : []
  return [...head, ...difference, ...hint, `  ${result.repro}`].join('\n')
}

/** Lines with - for what was expected and + for what came. */
export function describeDifference(expected: unknown, actual: unknown): string[] {
  const lines = diffValues(expected, actual).map(({ side, text }) => `    ${MARKS[side]} ${text}`)
  const rest = lines.length - MAX_DIFF_LINES
  return rest > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `    … ${rest} more lines`] : lines
}

function describeCounts(result: RunResult): string {
  const counts = countVerdicts(result.cases)
  const target = describeTarget(result)
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${verdict}`,
  )
  return [
    ...describeNotes(result),
    ...describeNotApplicable(result.cases),
    ...describeNotJudged(result),
    ...(target ? [target] : []),
    `${plural(result.cases.length, 'case')} in ${(result.duration / 1000).toFixed(1)} s: ${parts.join(', ')}`,
    totalsOf(result).summary,
  ].join('\n')
}
