import type { Mutant } from '#mocks/index'
import type { CaseResult } from '#reports/model'

/**
 * killed: a case that quotes the broken rule noticed. killed-by-others: only cases of other rules
 * did. survived: none did. not-run: its target's URL was not given, or no case ran. not-met: generated, and
 * in all answers of the run its mistake changed nothing: the wrong value was the right one, or its moment
 * never came.
 */
export interface MutantOutcome {
  id: string
  rule: string
  area: string
  says: string
  verdict: 'killed' | 'killed-by-others' | 'survived' | 'not-run' | 'not-met'
  /** Cases that passed on the target and not on the mutant, those that quote the rule first. */
  killers: string[]
  /** Cases of the rule that had no verdict on the mutant, each with the reason: none of them may kill. */
  unjudged: string[]
  /** A generated mutant changes a request; any case may notice. */
  isGenerated?: true
}

export interface MutantReport {
  /** Milliseconds. */
  duration: number
  outcomes: MutantOutcome[]
  /** Cases that do not even pass on the target itself, each with the reason; they can kill nothing. */
  unfitCases: string[]
}

/**
 * 0 when every mutant that ran was noticed by a case of its own rule, 1 otherwise.
 *
 * @param report of `runMutants`
 * @example
 * import { mutantsExitCode } from 'rollbed/conform'
 *
 * console.log(mutantsExitCode({ duration: 0, outcomes: [], unfitCases: [] })) // 0
 */
export function mutantsExitCode(report: MutantReport): 0 | 1 {
  const ran = report.outcomes.filter(
    ({ verdict }) => verdict !== 'not-run' && verdict !== 'not-met',
  )
  return ran.length > 0 && ran.every(isNoticed) ? 0 : 1
}

/**
 * Survivors and accidental kills in full, cases that could not kill, then counts. Plain text of several
 * lines.
 *
 * @param report of `runMutants`
 * @example
 * import { summariseMutants } from 'rollbed/conform'
 *
 * console.log(summariseMutants({ duration: 0, outcomes: [], unfitCases: [] }))
 */
export function summariseMutants(report: MutantReport): string {
  const bad = report.outcomes.filter((each) => !isNoticed(each) && each.verdict !== 'not-met')
  const count = (verdict: MutantOutcome['verdict']) =>
    report.outcomes.filter((outcome) => outcome.verdict === verdict).length
  return [
    ...bad.map(({ verdict, id, rule, says, killers, unjudged }) =>
      [
        `${verdict} ${id} [${rule}] ${says}`,
        ...killers.slice(0, 5).map((each) => `  by ${each}`),
        ...unjudged.map((each) => `  without a verdict: ${each}`),
      ].join('\n'),
    ),
    ...report.unfitCases.map((each) => `no pass on the target itself: ${each}`),
    `${report.outcomes.length} mutants, ${report.outcomes.filter(({ isGenerated }) => isGenerated).length} of them generated, in ${(report.duration / 1000).toFixed(1)} s: ` +
      `${count('killed')} killed, ${count('killed-by-others')} by cases of other rules only, ` +
      `${count('survived')} survived, ${count('not-met')} not met, ${count('not-run')} not run`,
  ].join('\n')
}

/** By a case of the rule that it breaks; one that was generated, by any. */
export function isNoticed({ verdict, isGenerated }: MutantOutcome): boolean {
  return verdict === 'killed' || (isGenerated === true && verdict === 'killed-by-others')
}

export function isKilling({ verdict }: CaseResult): boolean {
  return verdict === 'fail' || verdict === 'non-strict'
}

export function compareRuns(
  mutant: Mutant,
  passed: ReadonlySet<string>,
  sick: readonly CaseResult[],
): MutantOutcome {
  const killing = sick.filter((result) => passed.has(result.id) && isKilling(result))
  const intended = killing.filter((each) => each.rules.includes(mutant.rule))
  const others = killing.filter((each) => !intended.includes(each))
  const { id, rule, area, says } = mutant
  return {
    id,
    rule,
    area,
    says,
    verdict:
      sick.length === 0
        ? 'not-run'
        : intended.length > 0
          ? 'killed'
          : others.length > 0
            ? 'killed-by-others'
            : 'survived',
    killers: [...intended, ...others].map((each) => each.id),
    unjudged: sick
      .filter((each) => each.verdict === 'unknown' && each.rules.includes(mutant.rule))
      .map(describeVerdict),
    ...(mutant.isGenerated && { isGenerated: true as const }),
  }
}

export function describeVerdict({ id, verdict, reason = verdict }: CaseResult): string {
  return `${id}: ${reason}`
}
