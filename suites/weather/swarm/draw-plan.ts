import { FAULTS, type FaultKind, type FaultName } from '#devnet/faults/fault-catalogue'
import { type FaultPlan, type FaultPlanInput, parseFaultPlan } from '#devnet/faults/fault-plan'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { Place } from './place.ts'
import { Reached } from './reached.ts'
import { SOMETIMES, type Sometimes } from './sometimes.ts'

const MOST_FAULTS = 5
/** Milliseconds. L1 is deep enough for every reorganisation that is drawn once faults begin. */
const BEGIN = 8_000
const DURATION = 18_000
const DEEPEST_REORG = 3

/** A minute. */
const DEPOSITS = 60
const LOADS = {
  transfers: 120,
  tokens: 60,
  calls: 120,
  registrations: 60,
  proofs: 30,
  subscribers: 1,
  idleSubscribers: 1,
} as const

type Planned = NonNullable<FaultPlanInput['faults']>[number]

/**
 * A plan of random faults under a random load. Each seed first switches half of the kinds of faults
 * off, and some parts of the load: what hides behind others is met in runs without these.
 *
 * @param places what a world can do to what
 * @param reached by the runs before it: what they met rarely is likelier now
 */
export function drawPlan(
  seed: number,
  places: readonly Place[],
  reached: Reached = new Reached(),
): FaultPlan {
  const rng = seededRng(`swarm ${seed}`)
  const isOn = new Map(Object.keys(FAULTS).map((name) => [name, isOneIn(rng, 2)]))
  const possible = places.flatMap(({ target, faults }) =>
    faults
      .filter((fault) => isOn.get(fault))
      .map((fault) => ({ target, fault, weight: 1 / (1 + reached.fault(target, fault)) })),
  )
  const load = Object.fromEntries(
    Object.entries(LOADS).map(([name, rate]) => [name, isOneIn(rng, 4) ? 0 : rate]),
  )
  const count = possible.length === 0 ? 0 : 1 + randomInt(rng, MOST_FAULTS)
  const faults = Array.from({ length: count }, () => randomFault(rng, pickByWeight(rng, possible)))
  const aim = isOneIn(rng, 2) ? rarest(rng, places, reached) : undefined
  const plan: FaultPlanInput = {
    seed,
    duration: DURATION,
    load: { ...load, deposits: drawDeposits(seed), ...aim?.likelier.load },
    faults: [...(aim?.likelier.faults ?? []).map((fault) => inTime(rng, fault)), ...faults],
  }
  return parseFaultPlan(plan, `the plan of seed ${seed}`)
}

/** By a draw of its own: the other draws of a seed stay as they were before there were deposits. */
const drawDeposits = (seed: number): number =>
  isOneIn(seededRng(`deposits of swarm ${seed}`), 4) ? 0 : DEPOSITS

/** One of the states that were met in the fewest runs, of those that this world can be brought to. */
function rarest(rng: Rng, places: readonly Place[], reached: Reached): Sometimes | undefined {
  const can = ({ target, fault }: Planned) =>
    places.some((place) => place.target === target && place.faults.includes(fault))
  const possible = SOMETIMES.filter(({ likelier }) => (likelier.faults ?? []).every(can))
  if (possible.length === 0) return undefined
  return pickByWeight(
    rng,
    possible.map((each) => ({ ...each, weight: 1 / (1 + reached.sometimes(each.name)) ** 2 })),
  )
}

/** What a state needs, at a random moment of the weather, unless it waits for an event. */
function inTime(rng: Rng, { at = 0, until, ...rest }: Planned): Planned {
  const from = rest.when ? 0 : BEGIN + randomInt(rng, 5_000)
  return { ...rest, at: from + at, ...(until !== undefined && { until: from + until }) }
}

function randomFault(rng: Rng, { target, fault }: { target: string; fault: FaultName }): Planned {
  const at = BEGIN + randomInt(rng, 5_000)
  const until = at + 500 + randomInt(rng, 4_000)
  const isMoment = (FAULTS[fault] as FaultKind).isMoment === true
  const parameters =
    fault === 'reorg'
      ? { depth: 1 + randomInt(rng, DEEPEST_REORG), keep: isOneIn(rng, 2) }
      : undefined
  return { at, ...(!isMoment && { until }), target, fault, ...(parameters && { with: parameters }) }
}

const isOneIn = (rng: Rng, many: number): boolean => randomInt(rng, many) === 0

const FINE = 1_000_000_000

function pickByWeight<T extends { weight: number }>(rng: Rng, from: readonly T[]): T {
  const sum = from.reduce((total, { weight }) => total + weight, 0)
  let left = (randomInt(rng, FINE) / FINE) * sum
  return (
    from.find(({ weight }) => {
      left -= weight
      return left < 0
    }) ?? from.at(-1)!
  )
}
