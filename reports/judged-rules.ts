import type { RuleStatus, RunResult, Verdict } from './model.ts'
import { plural } from './plural.ts'

/** How much of the catalogue a run judged, and what is left, by reason, most rules first. */
export interface JudgedRules {
  judged: number
  total: number
  notJudged: NotJudged[]
}

export interface NotJudged {
  reason: string
  /** Flags of `rollbed conform` that would change it, such as `--prover`. */
  flags: readonly string[]
  rules: string[]
}

const WITHOUT_JUDGEMENT: readonly Verdict[] = ['not-applicable', 'unknown', 'gap']
const NO_REASON = 'This run was recorded before reasons were.'

/** Whether a case of the rule said yes or no. */
export function isJudged(rule: RuleStatus): boolean {
  return rule.isJudged ?? (rule.verdict !== undefined && !WITHOUT_JUDGEMENT.includes(rule.verdict))
}

/** Whether a verdict says yes or no about the rules of its case. */
export function isJudgement(verdict: Verdict): boolean {
  return !WITHOUT_JUDGEMENT.includes(verdict)
}

export function judgedRules({ rules }: Pick<RunResult, 'rules'>): JudgedRules {
  const left = rules.filter((rule) => !isJudged(rule))
  const groups = Map.groupBy(left, (rule) => {
    return JSON.stringify([rule.unjudged?.reason ?? rule.reason ?? NO_REASON, flagsOf(rule)])
  })
  return {
    judged: rules.length - left.length,
    total: rules.length,
    notJudged: [...groups.values()]
      .map((group) => ({
        reason: group[0]!.unjudged?.reason ?? group[0]!.reason ?? NO_REASON,
        flags: flagsOf(group[0]!),
        rules: group.map(({ id }) => id),
      }))
      .sort((a, b) => b.rules.length - a.rules.length),
  }
}

/** In one line: `judged 341 of 400 rules`. */
export function describeJudged(result: Pick<RunResult, 'rules'>): string {
  const { judged, total } = judgedRules(result)
  return `judged ${judged} of ${plural(total, 'rule')}`
}

/** Why the others were not, as part of one line: `not judged: 40 for want of --ws, 12 that no case can show`. */
export function describeRest({ rules }: Pick<RunResult, 'rules'>): string {
  const left = rules.filter((rule) => !isJudged(rule))
  const wanting = left.filter((rule) => flagsOf(rule).length > 0)
  const others = Map.groupBy(
    left.filter((rule) => flagsOf(rule).length === 0),
    (rule) =>
      rule.status === 'waived' ? UNSHOWN : isLeftOut(rule) ? LEFT_OUT : 'for a reason told above',
  )
  const flags = [...new Set(wanting.flatMap(flagsOf))].sort()
  const parts = [
    ...(wanting.length ? [`${wanting.length} for want of ${flags.join(', ')}`] : []),
    ...[...others].map(([why, group]) => `${group.length} ${why}`),
  ]
  return parts.length ? `not judged: ${parts.join(', ')}` : ''
}

const UNSHOWN = 'that no case can show'
const LEFT_OUT = 'left out by --only or --shard'

function isLeftOut({ unjudged }: RuleStatus): boolean {
  return unjudged?.reason === LEFT_OUT_REASON
}

/** What a rule says whose cases were not chosen. */
export const LEFT_OUT_REASON = 'Left out by --only or --shard.'

/** One line for each reason: what was not given is one, whatever it is that other rules want. */
export function describeNotJudged(result: Pick<RunResult, 'rules'>): string[] {
  const byReason = Map.groupBy(judgedRules(result).notJudged, ({ reason, flags }) =>
    JSON.stringify([reason, flags.length > 0]),
  )
  const groups = [...byReason.values()].map((group) => ({
    reason: group[0]!.reason,
    rules: group.flatMap((each) => each.rules),
    flags: [...new Set(group.flatMap((each) => each.flags))],
  }))
  groups.sort((a, b) => b.rules.length - a.rules.length)
  return groups.map(({ reason, rules, flags }) => {
    const give = flags.length ? ` Give ${flags.join(', ')}.` : ''
    return `not judged, ${rules.length}: ${reason}${give} (${shorten(rules)})`
  })
}

function flagsOf(rule: RuleStatus): readonly string[] {
  return rule.unjudged?.flags ?? []
}

const MOST_NAMED = 6

function shorten(rules: readonly string[]): string {
  if (rules.length <= MOST_NAMED) return rules.join(' ')
  return `${rules.slice(0, MOST_NAMED).join(' ')} and ${rules.length - MOST_NAMED} more`
}
