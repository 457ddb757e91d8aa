import { type CaseResult, isFailing, type StaleExpectation } from '#reports/model'
import type { Expectation } from './expectations.ts'
import { matchesId } from './select-cases.ts'

/**
 * Excuses known failures, and finds the expectations that are stale: expired, fitting no case there
 * is, or passing now. Nothing given is changed.
 *
 * @param options `results` as cases were judged; `expectations` as `loadExpectations` reads them;
 *   `today` as YYYY-MM-DD, the last day on which an expectation of that date holds; `known` ids of all
 *   cases that there are
 * @returns the results with `expected-fail` and `unexpected-pass` put in, and the stale expectations
 * @see reports/in-ci.md
 * @example
 * import { applyExpectations } from 'rollbed/conform'
 *
 * const { stale } = applyExpectations({
 *   results: [],
 *   expectations: [{ case: 'rpc.block.*', reason: 'a known fault', expires: '2026-12-31' }],
 *   today: '2027-01-01',
 *   known: ['rpc.block.hash.01'],
 * })
 * console.log(stale) // [{ pattern: 'rpc.block.*', reason: 'a known fault', problem: 'expired' }]
 */
export function applyExpectations(options: {
  results: readonly CaseResult[]
  expectations: readonly Expectation[]
  /** YYYY-MM-DD. */
  today: string
  /** Ids of all cases there are, judged in this run or not: an entry that fits none is a mistake. */
  known: readonly string[]
}): { results: CaseResult[]; stale: StaleExpectation[] } {
  const { expectations, today, known } = options
  const stale: StaleExpectation[] = []
  const tell = (entry: Expectation, problem: StaleExpectation['problem']) =>
    stale.push({ pattern: entry.case, reason: entry.reason, problem })

  for (const entry of expectations) {
    if (entry.expires < today) tell(entry, 'expired')
    else if (!known.some((id) => matchesId(id, entry.case))) tell(entry, 'matches nothing')
  }
  const results = options.results.map((result): CaseResult => {
    const entry = expectations.find((candidate) => matchesId(result.id, candidate.case))
    if (!entry || entry.expires < today) return result
    const expectation = {
      reason: entry.reason,
      expires: entry.expires,
      ...(entry.link ? { link: entry.link } : {}),
    }
    if (result.verdict === 'pass') {
      tell(entry, 'passes now')
      return { ...result, verdict: 'unexpected-pass', expectation }
    }
    return isFailing(result.verdict) ? { ...result, verdict: 'expected-fail', expectation } : result
  })
  return { results, stale }
}

/**
 * Says which entries excuse nothing because the run is not strict.
 * @param file of the entries, as it was given
 */
export function describeForStrict(
  results: readonly CaseResult[],
  expectations: readonly Expectation[],
  file: string | undefined,
): string[] {
  const entries = entriesForStrict(results, expectations)
  const [first] = entries
  if (!first) return []
  const why = 'about a `should`, which fails with --strict only:'
  return entries.length === 1
    ? [`1 entry of ${file} is ${why} ${first.case} excuses nothing here.`]
    : [
        `${entries.length} entries of ${file} are ${why} they excuse nothing here, beginning with ${first.case}.`,
      ]
}

/**
 * Entries that have nothing to excuse because the run is not strict: all that they fit is a `should` that is
 * not met.
 */
function entriesForStrict(
  results: readonly CaseResult[],
  expectations: readonly Expectation[],
): Expectation[] {
  return expectations.filter((entry) => {
    const own = results.filter(({ id }) => matchesId(id, entry.case))
    return own.length > 0 && own.every(({ verdict }) => verdict === 'non-strict')
  })
}
