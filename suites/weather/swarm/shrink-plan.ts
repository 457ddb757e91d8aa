import type { FaultPlan, PlannedFault } from '#devnet/faults/fault-plan'

/** Plays that a long search may take. */
const MOST_PLAYS = 80
/** Milliseconds; times are cut to whole steps of it, which people read more easily. */
const STEP = 500

/**
 * The smallest plan that is still red, as far as one simplification after the other leads: fewer
 * faults first, then less load, plainer and shorter faults, less time.
 *
 * @param plan which is red
 * @param isRed plays a plan
 * @returns the plan, and how many others were played for it
 */
export async function shrinkPlan(
  plan: FaultPlan,
  isRed: (plan: FaultPlan) => Promise<boolean>,
  mostPlays = MOST_PLAYS,
): Promise<{ plan: FaultPlan; plays: number }> {
  let smallest = plan
  let plays = 0
  const tried = new Set<string>()
  const isBetter = async (candidate: FaultPlan) => {
    const text = JSON.stringify(candidate)
    if (plays >= mostPlays || tried.has(text)) return false
    tried.add(text)
    plays += 1
    return await isRed(candidate)
  }
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const simpler of SIMPLER) {
      // What was taken away once leaves others at its place: the same step is tried until it fails.
      for (let at = 0; ; ) {
        const candidates = simpler(smallest)
        const candidate = candidates[at]
        if (!candidate) break
        if (await isBetter(candidate)) {
          smallest = candidate
          isSmaller = true
        } else at += 1
      }
    }
  }
  return { plan: smallest, plays }
}

type Simplify = (plan: FaultPlan) => FaultPlan[]

const SIMPLER: readonly Simplify[] = [fewerFaults, lessLoad, plainerFaults, lessTime]

function fewerFaults(plan: FaultPlan): FaultPlan[] {
  const { faults } = plan
  if (faults.length === 0) return []
  const half = Math.ceil(faults.length / 2)
  const kept = [[], faults.slice(half), faults.slice(0, half)]
  const without = faults.map((_, gone) => faults.filter((_, at) => at !== gone))
  return [...kept, ...without]
    .filter(({ length }) => length < faults.length)
    .map((some) => ({ ...plan, faults: some }))
}

function lessLoad(plan: FaultPlan): FaultPlan[] {
  const { load } = plan
  const some = Object.entries(load).filter(([, rate]) => rate > 0)
  if (some.length === 0) return []
  const none = Object.fromEntries(some.map(([name]) => [name, 0]))
  return [none, ...some.map(([name]) => ({ [name]: 0 }))].map((less) => ({
    ...plan,
    load: { ...load, ...less },
  }))
}

function plainerFaults(plan: FaultPlan): FaultPlan[] {
  return plan.faults.flatMap((fault, index) =>
    plainer(fault).map((simple) => ({
      ...plan,
      faults: plan.faults.map((each, at) => (at === index ? simple : each)),
    })),
  )
}

function plainer(fault: PlannedFault): PlannedFault[] {
  const { with: parameters, at = 0, until, ...rest } = fault
  const simpler: PlannedFault[] = []
  if (parameters) simpler.push({ ...rest, at, ...(until !== undefined && { until }) })
  if (until !== undefined && until - at > STEP) {
    simpler.push({ ...fault, until: at + Math.ceil((until - at) / 2 / STEP) * STEP })
  }
  if (at % STEP !== 0) {
    const round = Math.floor(at / STEP) * STEP
    const lasts = until === undefined ? undefined : Math.ceil((until - at) / STEP) * STEP
    simpler.push({ ...fault, at: round, ...(lasts !== undefined && { until: round + lasts }) })
  }
  return simpler.filter((each) => JSON.stringify(each) !== JSON.stringify(fault))
}

function lessTime(plan: FaultPlan): FaultPlan[] {
  const last = Math.max(0, ...plan.faults.map(({ at = 0, until = at }) => until))
  const needed = Math.ceil((last + 1) / STEP) * STEP
  const times = [needed, Math.ceil((needed + plan.duration) / 2 / STEP) * STEP]
  return times
    .filter((duration) => duration < plan.duration)
    .map((duration) => ({ ...plan, duration }))
}
