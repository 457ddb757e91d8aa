import { FAULTS, type FaultKind, type FaultName } from '#devnet/faults/fault-catalogue'
import { type FaultPlan, type PlannedFault, parseFaultPlan } from '#devnet/faults/fault-plan'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { FaultTime } from '../checkers/fault-times.ts'
import type { Place } from './place.ts'

export interface Branching {
  plan: FaultPlan
  /** Until when the beginning is the same; milliseconds. */
  at: number
  /** The faults of the plan by its own log. */
  begun: readonly FaultTime[]
  /** What its world can do to what. */
  places: readonly Place[]
}

const MOST_FAULTS = 5
/** Milliseconds for other faults to begin in, and for the last of them to be over. */
const BEGIN_WITHIN = 5_000
const LONGEST = 4_500

/**
 * A plan whose world lives as in another until a moment, and then has other faults: those that lasted end as they
 * were to, and what would come later gives way.
 * @param number of the future, from 1; each is drawn by itself
 */
export function drawBranch({ plan, at, begun, places }: Branching, number: number): FaultPlan {
  const rng = seededRng(`branch ${plan.seed}/${at}/${number}`)
  const kept = plan.faults.filter((planned) => {
    const from = beginOf(planned, begun)
    return from !== undefined && from <= at
  })
  const possible = places.flatMap(({ target, faults }) =>
    faults.map((fault) => ({ target, fault })),
  )
  const count = possible.length === 0 ? 0 : 1 + randomInt(rng, MOST_FAULTS)
  const drawn = Array.from({ length: count }, (): PlannedFault => {
    const befalls = possible[randomInt(rng, possible.length)]!
    return { ...befalls, ...timesOf(befalls.fault, at, rng) }
  })
  const duration = Math.max(plan.duration, at + BEGIN_WITHIN + LONGEST + 500)
  return parseFaultPlan(
    { ...plan, duration, faults: [...kept, ...drawn] },
    `branch ${number} of the plan of seed ${plan.seed}`,
  )
}

function timesOf(fault: FaultName, after: number, rng: Rng): Pick<PlannedFault, 'at' | 'until'> {
  const at = after + 1 + randomInt(rng, BEGIN_WITHIN)
  const until = at + 500 + randomInt(rng, LONGEST - 500)
  return (FAULTS[fault] as FaultKind).isMoment ? { at } : { at, until }
}

function beginOf(planned: PlannedFault, begun: readonly FaultTime[]): number | undefined {
  const { when, at = 0, target, fault } = planned
  if (when === undefined) return at
  return begun.find((each) => each.target === target && each.fault === fault)?.from
}
