import { CaseFailure } from '../case-failure.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Draw, EFFORTS } from './effort.ts'
import fc, { type Arbitrary } from './fast-check.ts'

/** Of a time limit, what drawn values may take: on a slow machine those that are left are not judged. */
const ENOUGH = 0.6
/** So many say something of a node, whatever they take. */
const LEAST = 10

/** Simpler ones that are tried of one that broke the rule: a slow node is no reason to have no verdict. */
const MOST_SIMPLER = 150

interface DrawnOptions extends Draw {
  share?: number
  limit?: Pick<TimeLimit, 'share'> | undefined
  note?: (text: string) => void
}

/**
 * Judges drawn values until one breaks the rule, and then the simplest that still does.
 * @param options `share` of the usual number, for what is one of several; once most of `limit` has gone by, no
 * more are judged, and `note` is told how many were
 * @throws CaseFailure of that one, with the seed that draws it again; whatever else `judge` throws
 */
export async function judgeDrawn<T>(
  drawn: Arbitrary<T>,
  { seed, effort, share = 1, limit, note }: DrawnOptions,
  judge: (value: T) => Promise<void>,
): Promise<void> {
  const numRuns = Math.ceil(EFFORTS[effort] * share)
  let judged = 0
  let other: { error: unknown } | undefined
  let simpler = -1
  const property = fc.asyncProperty(drawn, async (value) => {
    // What is no verdict is not looked into further. To let the rest pass would not do: of a long value there are
    // tens of thousands of simpler ones, whose making alone takes many seconds.
    if (other || simpler >= MOST_SIMPLER) throw new fc.PreconditionFailure(true)
    if (judged >= LEAST && (limit?.share ?? 0) > ENOUGH) throw new fc.PreconditionFailure(true)
    if (simpler >= 0) simpler += 1
    judged += 1
    try {
      await judge(value)
    } catch (error) {
      if (simpler < 0) simpler = 0
      if (error instanceof CaseFailure) throw error
      other = { error }
    }
  })
  const found = await fc.check(property, { seed, numRuns })
  if (other) throw (other as { error: unknown }).error
  if (!found.failed) {
    if (judged < numRuns) note?.(`Of ${numRuns} drawn, ${judged} were judged in time.`)
    return
  }
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
