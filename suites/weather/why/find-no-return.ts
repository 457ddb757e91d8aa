import type { FaultPlan } from '#devnet/faults/fault-plan'
import { faultTimes } from '../checkers/fault-times.ts'
import { parseLog } from '../judge-log.ts'
import type { Place } from '../swarm/place.ts'
import type { PlayRun } from '../swarm/play-run.ts'
import { drawFuture } from './draw-future.ts'

/** Milliseconds: the moment is not told more exactly. */
const STEP = 250

export interface Moment {
  /** Milliseconds from the start. */
  at: number
  /** Futures from there on that broke the same sentence. */
  failed: number
  of: number
}

export interface NoReturn {
  /** Whose sentence the plan breaks first; undefined: it breaks nothing. */
  checker?: string
  /** When that is seen; milliseconds. */
  seen?: number
  /** The earliest moment known from which every future breaks it; undefined: some future escaped to the end. */
  since?: number
  /** Every moment that was tried, in order of time. */
  moments: Moment[]
}

/**
 * Since when a failure could not be avoided any more: from ever other moments of the plan futures are
 * played, and halving leads to the earliest from which all of them break what the plan breaks.
 *
 * @param futures for each moment
 */
export async function findNoReturn(
  plan: FaultPlan,
  play: PlayRun,
  futures: number,
): Promise<NoReturn> {
  let places: readonly Place[] = []
  const { violations, ndjson } = await play(plan, (known) => {
    places = known
    return plan
  })
  const [first] = violations
  if (!first) return { moments: [] }
  const begun = faultTimes(parseLog(ndjson))
  const { checker, t: seen } = first
  const tried = new Map<number, Moment>()
  const allFail = async (at: number): Promise<boolean> => {
    let failed = 0
    for (let number = 0; number < futures; number++) {
      const future = drawFuture(plan, at, number, { begun, places })
      const run = await play(future, () => future)
      if (run.violations.some((each) => each.checker === checker)) failed += 1
    }
    tried.set(at, { at, failed, of: futures })
    return failed === futures
  }
  const moments = () => [...tried.values()].sort((one, other) => one.at - other.at)
  let late = Math.min(Math.ceil((seen + 1) / STEP) * STEP, plan.duration)
  if (!(await allFail(late))) return { checker, seen, moments: moments() }
  if (await allFail(0)) return { checker, seen, since: 0, moments: moments() }
  for (let early = 0; late - early > STEP; ) {
    const middle = Math.round((early + late) / 2 / STEP) * STEP
    if (middle <= early || middle >= late) break
    if (await allFail(middle)) late = middle
    else early = middle
  }
  return { checker, seen, since: late, moments: moments() }
}
