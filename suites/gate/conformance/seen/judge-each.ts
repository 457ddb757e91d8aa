import type { Exchange } from '#reports/model'
import { CaseFailure, notApplicable } from '../case-failure.ts'

/**
 * Judges everything that was seen of one kind, and fails by the first that breaks the rule, with the
 * exchange that shows it.
 *
 * @param what is judged, in the plural, for the one who reads why nothing was
 * @throws CaseFailure @throws CaseSetAside where nothing was seen
 */
export async function judgeEach<T extends { exchange: Exchange }>(
  seen: readonly T[],
  what: string,
  judge: (one: T) => void | Promise<void>,
): Promise<void> {
  if (seen.length === 0) notApplicable(`No ${what} were seen.`)
  for (const [index, one] of seen.entries()) {
    try {
      await judge(one)
    } catch (error) {
      if (!(error instanceof CaseFailure)) throw error
      const { at, expected, actual, hint = '' } = error
      const which = `The ${index + 1}. of ${seen.length} ${what} seen.`
      throw new CaseFailure({
        at,
        expected,
        actual,
        hint: `${hint} ${which}`.trim(),
        exchange: one.exchange,
      })
    }
  }
}
