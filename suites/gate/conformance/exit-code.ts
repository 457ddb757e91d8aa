import { isJudged } from '#reports/judged-rules'
import type { RuleStatus, RunResult } from '#reports/model'

/**
 * 0 conforms · 1 a rule failed or could not be judged · 3 no rule failed, but what the gate itself starts
 * did not start · 4 only the expectations are stale.
 *
 * @param result of `runConformance`
 * @param options with `requireAll`, a rule that the given targets allow to judge and that no case judged
 *   is a 1 too
 * @see reports/in-ci.md
 * @example
 * import { exitCode, runConformance } from 'rollbed/conform'
 *
 * const targets = { rpc: devnet.description.rpcUrl }
 * const result = await runConformance({ targets, only: 'rpc.envelope.method-eth-getlogs.01' })
 * if (exitCode(result) !== 0) throw new Error('The node breaks a rule.')
 */
export function exitCode(
  result: RunResult,
  { requireAll = false }: { requireAll?: boolean } = {},
): 0 | 1 | 3 | 4 {
  const verdicts = new Set(result.cases.map((each) => each.verdict))
  if (verdicts.has('fail')) return 1
  if (result.cases.some((each) => each.isGateFault)) return 3
  if (requireAll && unjudgedByChoice(result).length > 0) return 1
  if (verdicts.has('unknown')) return 1
  if (verdicts.has('unexpected-pass') || result.staleExpectations.length > 0) return 4
  return 0
}

/** Rules that have a case for the targets given, and were judged by none: for want of a driver, say. */
function unjudgedByChoice(result: RunResult): RuleStatus[] {
  return result.rules.filter((rule) => {
    const { flags = [] } = rule.unjudged ?? {}
    return rule.cases.length > 0 && !isJudged(rule) && !flags.some(isTarget)
  })
}

function isTarget(flag: string): boolean {
  return !/^--(driver|private-key|profile)\b/.test(flag)
}
