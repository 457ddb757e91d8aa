import { CaseFailure } from '../case-failure.ts'
import { type Draw, EFFORTS } from './effort.ts'
import fc, { type Arbitrary } from './fast-check.ts'

/** Simpler ones that are tried of one that broke the rule: a slow node is no reason to have no verdict. */
const MOST_SIMPLER = 150

/**
 * Judges drawn values until one breaks the rule, and then the simplest that still does.
 * @param draw `share` of the usual number, for what is one of several
 * @throws CaseFailure of that one, with the seed that draws it again; whatever else `judge` throws
 */
export async function judgeDrawn<T>(
  drawn: Arbitrary<T>,
  { seed, effort, share = 1 }: Draw & { share?: number },
  judge: (value: T) => Promise<void>,
): Promise<void> {
  let other: { error: unknown } | undefined
  let simpler = -1
  const property = fc.asyncProperty(drawn, async (value) => {
    // What is no verdict is not looked into further.
    if (other || simpler >= MOST_SIMPLER) return
    if (simpler >= 0) simpler += 1
    try {
      await judge(value)
    } catch (error) {
      if (simpler < 0) simpler = 0
      if (error instanceof CaseFailure) throw error
      other = { error }
    }
  })
  const found = await fc.check(property, { seed, numRuns: Math.ceil(EFFORTS[effort] * share) })
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
