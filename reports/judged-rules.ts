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
const NOT_TOLD = 'This run was recorded before reasons were.'

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
    return JSON.stringify([rule.unjudged?.reason ?? rule.reason ?? NOT_TOLD, flagsOf(rule)])
  })
  return {
    judged: rules.length - left.length,
    total: rules.length,
    notJudged: [...groups.values()]
      .map((group) => ({
        reason: group[0]!.unjudged?.reason ?? group[0]!.reason ?? NOT_TOLD,
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

/** One line for each reason. */
export function describeNotJudged(result: Pick<RunResult, 'rules'>): string[] {
  return judgedRules(result).notJudged.map(({ reason, flags, rules }) => {
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
