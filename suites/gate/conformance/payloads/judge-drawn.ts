import { CaseFailure } from '../case-failure.ts'
import { type Draw, EFFORTS } from './effort.ts'
import fc, { type Arbitrary } from './fast-check.ts'

/**
 * Judges drawn values until one breaks the rule, and then the simplest that still does.
 * @throws CaseFailure of that one, with the seed that draws it again; whatever else `judge` throws
 */
export async function judgeDrawn<T>(
  drawn: Arbitrary<T>,
  { seed, effort }: Draw,
  judge: (value: T) => Promise<void>,
): Promise<void> {
  let other: { error: unknown } | undefined
  const property = fc.asyncProperty(drawn, async (value) => {
    // What is no verdict is not looked into further.
    if (other) return
    try {
      await judge(value)
    } catch (error) {
      if (error instanceof CaseFailure) throw error
      other = { error }
    }
  })
  const found = await fc.check(property, { seed, numRuns: EFFORTS[effort] })
  if (other) throw (other as { error: unknown }).error
  if (!found.failed) return
  const [simplest] = found.counterexample ?? []
  const hint = `The ${found.numRuns}. of seed ${seed}, made as simple as it can be in ${found.numShrinks} steps.`
  try {
    // Once more, so that its exchange is the last one.
    await judge(simplest as T)
  } catch (error) {
    if (!(error instanceof CaseFailure)) throw error
    throw new CaseFailure({ ...partsOf(error), hint })
  }
  const once = found.errorInstance as CaseFailure
  throw new CaseFailure({ ...partsOf(once), hint: `${hint} Asked again, it was right.` })
}

const partsOf = ({ at, expected, actual }: CaseFailure) => ({ at, expected, actual })
