import { FAULTS, type FaultKind } from '#devnet/faults/fault-catalogue'
import { type FaultPlan, type PlannedFault, parseFaultPlan } from '#devnet/faults/fault-plan'
import { randomInt, seededRng } from '#protocol/random/rng'
import type { FaultTime } from '../checkers/fault-times.ts'
import type { Place } from '../swarm/place.ts'

/** Faults that a future brings at most. */
const MOST_FAULTS = 3

/**
 * A plan that is the same until a moment, and then another: the faults that began before are there, those
 * that last then end earlier or as planned, and what would come later gives way to others. The first future
 * is quiet: everything ends at that moment.
 *
 * @param moment milliseconds of the world's time
 * @param number of the future, from 0; each is drawn by itself
 * @param begun the faults of the plan by its own log
 * @param places what the world can do to what
 */
export function drawFuture(
  plan: FaultPlan,
  moment: number,
  number: number,
  { begun, places }: { begun: readonly FaultTime[]; places: readonly Place[] },
): FaultPlan {
  const rng = seededRng(`future ${plan.seed}/${moment}/${number}`)
  const isQuiet = number === 0
  const after = (least: number, most: number) => least + randomInt(rng, Math.max(1, most - least))
  const kept = plan.faults.flatMap((fault): PlannedFault[] => {
    const from = beginOf(fault, begun)
    if (from === undefined || from >= moment) return []
    const { at = 0, until = at + plan.duration - from } = fault
    const end = from + until - at
    if (isMomentary(fault) || end <= moment) return [fault]
    const ends = isQuiet ? moment : after(moment, end + 1)
    return [{ ...fault, until: at + ends - from }]
  })
  const targets = places.filter(({ faults }) => faults.length > 0)
  const count = isQuiet || targets.length === 0 ? 0 : randomInt(rng, MOST_FAULTS + 1)
  const drawn = Array.from({ length: count }, (): PlannedFault => {
    const { target, faults } = targets[randomInt(rng, targets.length)]!
    const fault = faults[randomInt(rng, faults.length)]!
    const at = after(moment, plan.duration)
    const lasts = !isMomentary({ fault }) && { until: after(at, plan.duration) }
    return { at, target, fault, ...lasts }
  })
  return parseFaultPlan({ ...plan, faults: [...kept, ...drawn] }, `future ${number} of the plan`)
}

function beginOf(planned: PlannedFault, begun: readonly FaultTime[]): number | undefined {
  const { when, at = 0, target, fault } = planned
  if (when === undefined) return at
  return begun.find((each) => each.target === target && each.fault === fault)?.from
}

const isMomentary = ({ fault }: Pick<PlannedFault, 'fault'>): boolean =>
  (FAULTS[fault] as FaultKind).isMoment === true
