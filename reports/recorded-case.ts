import type { CaseResult, Verdict } from './model.ts'

/**
 * A recorded case as the target alone earned it: what an expectations file excused, and what
 * `--strict` made of a `should`, is taken back or applied anew. The exchanges are not judged again:
 * they are cut when long, and a case may act on what it is told.
 */
export function recordedCase(
  { expectation: _excuse, ...result }: CaseResult,
  { strict }: { strict: boolean },
): CaseResult {
  return { ...result, verdict: ofLevel(beforeExpectations(result), result.level, strict) }
}

function beforeExpectations({ verdict, failure }: CaseResult): Verdict {
  if (verdict === 'unexpected-pass') return 'pass'
  if (verdict !== 'expected-fail') return verdict
  // Only a broken rule leaves a difference; a case that could not be judged leaves none.
  return failure ? 'fail' : 'unknown'
}

function ofLevel(verdict: Verdict, level: CaseResult['level'], strict: boolean): Verdict {
  if (level === 'must') return verdict
  if (verdict === 'non-strict' && strict) return 'fail'
  return verdict === 'fail' && !strict ? 'non-strict' : verdict
}
