import type { MutantOutcome, MutantReport } from '../conformance/index.ts'

/** How many generated mutants of a rule were played, and how many the gate noticed. */
export interface RuleShare {
  rule: string
  killed: number
  survived: number
  /** Their mistake never showed; they count in no share. */
  notMet: number
}

export interface ShapeShares {
  /** Day of the run. */
  date: string
  /** Whatever could be drawn. */
  all: number
  seed: number
  played: number
  rules: RuleShare[]
  /** Ids. */
  survivors: string[]
}

/** Counts outcomes by the rule that their mutant breaks. */
export function sharesOf(
  { outcomes }: Pick<MutantReport, 'outcomes'>,
  of: Pick<ShapeShares, 'date' | 'all' | 'seed'>,
): ShapeShares {
  const ran = outcomes.filter(({ verdict }) => verdict !== 'not-run')
  const rules = [...new Set(ran.map(({ rule }) => rule))].toSorted()
  return {
    ...of,
    played: ran.length,
    rules: rules.map((rule) => {
      const own = ran.filter((outcome) => outcome.rule === rule)
      const count = (...verdicts: MutantOutcome['verdict'][]) =>
        own.filter(({ verdict }) => verdicts.includes(verdict)).length
      return {
        rule,
        killed: count('killed', 'killed-by-others'),
        survived: count('survived'),
        notMet: count('not-met'),
      }
    }),
    survivors: ran.filter(({ verdict }) => verdict === 'survived').map(({ id }) => id),
  }
}
