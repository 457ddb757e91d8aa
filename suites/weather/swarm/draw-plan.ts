import { FAULTS, type FaultKind, type FaultName } from '../../../devnet/faults/fault-catalogue.ts'
import {
  type FaultPlan,
  type FaultPlanInput,
  parseFaultPlan,
} from '../../../devnet/faults/fault-plan.ts'
import { randomInt, seededRng } from '../../../enclave-sim/protocol/random/rng.ts'

export interface Place {
  target: string
  faults: readonly FaultName[]
}

const MOST_FAULTS = 5
/** Milliseconds. L1 is deep enough for every reorganisation that is drawn once faults begin. */
const BEGIN = 8_000
const DURATION = 18_000
const DEEPEST_REORG = 2

const LOADS = {
  transfers: 120,
  tokens: 60,
  calls: 120,
  registrations: 60,
  proofs: 20,
  subscribers: 1,
  idleSubscribers: 1,
} as const

/**
 * A plan of random faults under a random load. Each seed first switches half of the kinds of faults
 * off, and some parts of the load: what hides behind others is met in runs without these.
 *
 * @param places what a world can do to what
 */
export function drawPlan(seed: number, places: readonly Place[]): FaultPlan {
  const rng = seededRng(`swarm ${seed}`)
  const coin = () => randomInt(rng, 2) === 0
  const pick = <T>(from: readonly T[]): T => from[randomInt(rng, from.length)]!
  const isOn = new Map(Object.keys(FAULTS).map((name) => [name, coin()]))
  const possible = places
    .map(({ target, faults }) => ({ target, faults: faults.filter((name) => isOn.get(name)) }))
    .filter(({ faults }) => faults.length > 0)
  const load = Object.fromEntries(
    Object.entries(LOADS).map(([name, rate]) => [name, randomInt(rng, 4) === 0 ? 0 : rate]),
  )
  const count = possible.length === 0 ? 0 : 1 + randomInt(rng, MOST_FAULTS)
  const faults = Array.from({ length: count }, () => {
    const { target, faults: names } = pick(possible)
    const fault = pick(names)
    const at = BEGIN + randomInt(rng, 5_000)
    const until = at + 500 + randomInt(rng, 4_000)
    const isMoment = (FAULTS[fault] as FaultKind).isMoment === true
    const told = fault === 'reorg' ? { depth: 1 + randomInt(rng, DEEPEST_REORG) } : undefined
    return { at, ...(!isMoment && { until }), target, fault, ...(told && { with: told }) }
  })
  const plan: FaultPlanInput = { seed, duration: DURATION, load, faults }
  return parseFaultPlan(plan, `the plan of seed ${seed}`)
}
