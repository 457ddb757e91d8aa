import { loadCatalogue } from '../../fixtures/rules/catalogue.ts'
import {
  type CaseResult,
  type OpenPoint,
  type RuleStatus,
  worstVerdict,
} from '../../reports/model.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { waiverOf } from './waiver-of.ts'

/** For every rule of the catalogue: which cases check it, or why none does, and how it went. */
export function coverRules(
  cases: readonly ConformanceCase[],
  results: readonly CaseResult[],
): RuleStatus[] {
  return loadCatalogue().rules.map((rule) => {
    const quoting = cases.filter((test) => test.rules.includes(rule.id)).map((test) => test.id)
    const reason = quoting.length ? undefined : waiverOf(rule.id)
    const verdict = worstVerdict(
      results.filter((result) => quoting.includes(result.id)).map((result) => result.verdict),
    )
    return {
      id: rule.id,
      says: rule.says,
      level: rule.level,
      surface: rule.surface,
      status: quoting.length ? 'covered' : reason ? 'waived' : 'uncovered',
      ...(reason ? { reason } : {}),
      cases: quoting,
      ...(verdict ? { verdict } : {}),
    }
  })
}

/** What the specs leave open: told in every report, judged in none. */
export function listGaps(): OpenPoint[] {
  return loadCatalogue().open.map(({ id, topic, why, affects }) => ({ id, topic, why, affects }))
}
