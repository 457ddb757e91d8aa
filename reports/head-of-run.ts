import { describeJudged, describeRest } from './judged-rules.ts'
import { isFailing, isNonStrict, type RunResult, type RunTotals } from './model.ts'
import { plural } from './plural.ts'

type Counted = Pick<RunResult, 'cases' | 'rules' | 'gaps'>

/** What the head of every report says of the whole run: counts, and the last line of a terminal. */
export function totalsOf(result: Counted): RunTotals {
  const { cases } = result
  return {
    cases: cases.length,
    failed: cases.filter(({ verdict }) => isFailing(verdict)).length,
    shouldNotMet: cases.filter(isNonStrict).length,
    summary: describeWhole(result),
  }
}

/** As the title of a report, of which the last line of a terminal says the same. */
export function describeOutcome(result: Counted): string {
  const { cases, failed } = totalsOf(result)
  const outcome = failed ? `${failed} of ${plural(cases, 'case')} failed` : 'passed'
  return [outcome, describeNotMet(result), describeJudged(result)].filter(Boolean).join(', ')
}

/** Cases that only `should` be so, and are not; empty for none. */
export function describeNotMet({ cases }: Pick<RunResult, 'cases'>): string {
  const count = cases.filter(isNonStrict).length
  return count ? `${count} \`should\` not met` : ''
}

/** The run with its totals in the head, whatever an earlier writer counted. */
export function withTotals({ totals: _before, schema, ...rest }: RunResult): RunResult {
  return { schema, totals: totalsOf(rest), ...rest }
}

/** How much was judged, why the rest was not, and what is not met though it does not fail. */
function describeWhole(result: Counted): string {
  const { gaps } = result
  return [
    describeJudged(result),
    describeRest(result),
    describeNotMet(result),
    `${plural(gaps.length, 'point')} of the specs ${gaps.length === 1 ? 'is' : 'are'} open`,
  ]
    .filter(Boolean)
    .join('; ')
}
