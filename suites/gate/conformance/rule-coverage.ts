import { loadCatalogue } from '#fixtures/rules/catalogue'
import type { Rule } from '#fixtures/rules/rule-schema'
import { isJudgement, LEFT_OUT_REASON } from '#reports/judged-rules'
import { type CaseResult, type OpenPoint, type RuleStatus, worstVerdict } from '#reports/model'
import { type ConformanceCase, fitsProfile, type Profile, whyRetired } from './conformance-case.ts'
import { flagOf, type Targets } from './targets.ts'
import { waiverOf } from './waiver-of.ts'

/** Index of Base's upgrades in the sources of the catalogue. */
const TODAY = 2
const DRIVER_FLAGS = '--driver or --private-key'

/** What a run was given to judge with; tells why rules were not judged. */
export interface Given {
  targets: Targets
  hasDriver: boolean
  profile: Profile
}

/**
 * For every rule of the catalogue: which cases check it, or why none does, and how it went.
 *
 * @param cases all that there are, run or not
 * @param results of those that ran
 * @param given what the run had: tells why rules were not judged; without it, nothing does
 * @see devnet/docs/rules.md
 * @example
 * import { coverRules, selectCases } from 'rollbed/conform'
 *
 * const waived = coverRules(selectCases(), []).filter(({ status }) => status === 'waived')
 * console.log(waived.map(({ id, reason }) => `${id}: ${reason}`))
 */
export function coverRules(
  cases: readonly ConformanceCase[],
  results: readonly CaseResult[],
  given?: Given,
): RuleStatus[] {
  return rulesOf(given).map((rule) => {
    const tests = cases.filter((test) => test.rules.includes(rule.id))
    const quoting = tests.map((test) => test.id)
    const reason = quoting.length ? undefined : waiverOf(rule.id)
    const own = results.filter((result) => quoting.includes(result.id))
    const verdict = worstVerdict(own.map((result) => result.verdict))
    const isJudged = own.some((result) => isJudgement(result.verdict))
    const unjudged = !isJudged && given && tests.length ? whyNot(tests, own, given) : undefined
    return {
      id: rule.id,
      says: rule.says,
      level: rule.level,
      surface: rule.surface,
      status: quoting.length ? 'covered' : reason ? 'waived' : 'uncovered',
      ...(reason ? { reason } : {}),
      cases: quoting,
      ...(verdict ? { verdict } : {}),
      isJudged,
      ...(unjudged ? { unjudged } : {}),
    }
  })
}

/** Rules of today's chain are no rules of the chain of before: a report of that one is silent on them. */
function rulesOf(given: Given | undefined): readonly Rule[] {
  const { rules } = loadCatalogue()
  if (!given || given.profile === 'today') return rules
  return rules.filter(({ doc }) => doc !== TODAY)
}

/** Why no case of a rule said yes or no: what one of them said, or what the nearest of them lacks. */
function whyNot(
  tests: readonly ConformanceCase[],
  own: readonly CaseResult[],
  { targets, hasDriver, profile }: Given,
): NonNullable<RuleStatus['unjudged']> {
  const lacks = (test: ConformanceCase) =>
    test.needs.filter((need) => (need === 'driver' ? !hasDriver : targets[need] === undefined))
  const [reason] = own.flatMap((result) => result.reason ?? [])
  if (reason) {
    const needsDriver = !hasDriver && tests.every((test) => test.needs.includes('driver'))
    return { reason, flags: needsDriver ? [DRIVER_FLAGS] : [] }
  }
  if (!tests.some((test) => fitsProfile(test, profile))) {
    const retired = profile === 'today' ? tests.map(whyRetired).find((why) => why) : undefined
    if (retired) return { reason: `${retired}.`, flags: ['--profile base'] }
    const [other = ''] = tests.flatMap((test) => test.profiles ?? [])
    return { reason: `It is judged in profile ${other} only.`, flags: [`--profile ${other}`] }
  }
  const [least = []] = tests
    .filter((test) => fitsProfile(test, profile))
    .map(lacks)
    .sort((a, b) => a.length - b.length)
  if (least.length === 0) return { reason: LEFT_OUT_REASON, flags: [] }
  const flags = least.map((need) => (need === 'driver' ? DRIVER_FLAGS : flagOf(need)))
  return { reason: 'No case could run: something to judge it by was not given.', flags }
}

/**
 * What the specs leave open (OPEN-01 and on): told in every report, judged in none.
 *
 * @see fixtures/rules/decisions.md
 * @example
 * import { listGaps } from 'rollbed/conform'
 *
 * console.log(listGaps().map(({ id }) => id))
 */
export function listGaps(): OpenPoint[] {
  return loadCatalogue().open.map(({ id, topic, why, affects }) => ({ id, topic, why, affects }))
}
