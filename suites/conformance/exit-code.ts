import type { RunResult } from '../../reports/model.ts'

/** 0 conforms · 1 a rule failed or could not be judged · 4 only the expectations are stale. */
export function exitCode(result: RunResult): 0 | 1 | 4 {
  const verdicts = new Set(result.cases.map((each) => each.verdict))
  if (verdicts.has('fail') || verdicts.has('unknown')) return 1
  if (verdicts.has('unexpected-pass') || result.staleExpectations.length > 0) return 4
  return 0
}
