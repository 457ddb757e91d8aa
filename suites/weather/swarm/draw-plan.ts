import { FAULTS, type FaultKind, type FaultName } from '#devnet/faults/fault-catalogue'
import { type FaultPlan, type FaultPlanInput, parseFaultPlan } from '#devnet/faults/fault-plan'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { Place } from './place.ts'
import { Reached } from './reached.ts'
import { SOMETIMES, type Sometimes } from './sometimes.ts'

const MOST_FAULTS = 5
/**
 * Milliseconds. L1's block of 8,000 is there by then: the deepest reorganisation that is drawn leaves those which
 * brought the contracts.
 */
const BEGIN = 8_001
const DURATION = 18_000
const DEEPEST_REORG = 3
/** Seconds between blocks where a world does not say. */
const USUAL_BLOCK = 2

const LOADS = {
  transfers: 120,
  tokens: 60,
  calls: 120,
  registrations: 60,
  proofs: 30,
  subscribers: 1,
  idleSubscribers: 1,
  deposits: 60,
  withdrawals: 40,
  oddities: 40,
  rushes: 12,
  confirmations: 20,
  pages: 40,
  listeners: 1,
} as const

/** In a minute. */
const STRAYS = 60
/** In a minute; what waits for a deposit is not sent then, for it is of the same account. */
const BRIDGED = 40

type Planned = NonNullable<FaultPlanInput['faults']>[number]

/**
 * A plan of random faults under a random load. Each seed first switches half of the kinds of faults
 * off, and some parts of the load: what hides behind others is met in runs without these. Each draw is by
 * the name of what is drawn, so that a fault, target or state which is new changes those plans alone
 * that it comes into.
 *
 * @param places what a world can do to what
 * @param reached by the runs before it: what they met rarely is likelier now
 * @param world in which it is played
 */
export function drawPlan(
  seed: number,
  places: readonly Place[],
  reached: Reached = new Reached(),
  world: FaultPlan['world'] = {},
): FaultPlan {
  const by = (name: string): Rng => seededRng(`swarm ${seed}/${name}`)
  const possible = places.flatMap(({ target, faults }) =>
    faults
      .filter((fault) => isOneIn(by(`on ${fault}`), 2))
      .map((fault) => ({ target, fault, name: `${fault} ${target}` })),
  )
  const met = ({ target, fault }: (typeof possible)[number]) => reached.fault(target, fault)
  const count = 1 + randomInt(by('count'), MOST_FAULTS)
  const faults = Array.from({ length: count }, (_, turn) => {
    const drawn = likeliest(possible, (name) => by(`fault ${turn} ${name}`), met)
    return drawn ? [randomFault(by(`times ${turn} ${drawn.name}`), drawn)] : []
  }).flat()
  const load = Object.fromEntries(
    Object.entries(LOADS).map(([name, rate]) => [name, isOneIn(by(`load ${name}`), 4) ? 0 : rate]),
  )
  const crosses = world.upgrades !== undefined
  const aim = isOneIn(by('aim'), 2) ? rarest(by, places, reached, crosses) : undefined
  const aimed = aim?.likelier.faults?.map((fault, index) =>
    inTime(by(`times ${index} ${aim.name}`), fault),
  )
  const plan: FaultPlanInput = {
    ...{ seed, world },
    duration: DURATION,
    load: {
      ...load,
      falseGames: isOneIn(by('load falseGames'), 6) ? 1 : 0,
      strikes: isOneIn(by('load strikes'), 4) ? 1 : 0,
      strays: isOneIn(by('load strays'), 4) ? STRAYS : 0,
      bridged: isOneIn(by('load bridged'), 4) ? BRIDGED : 0,
      ...aim?.likelier.load,
    },
    faults: [...withinWindow([...(aimed ?? []), ...faults], world)],
  }
  return parseFaultPlan(plan, `the plan of seed ${seed}`)
}

/** Milliseconds that a clock is told by one fault. */
const MOST_AHEAD = 30_000

/**
 * A sequencer that was ahead stays so for ever where L1 is no faster than L2: each block takes one of L1. Where it was
 * ahead by more than the window of its batches, each of them comes too late, and L2 is empty for ever. So all that
 * its clock is told together is half of the window at most, and nothing where L1 stops: L2 goes on meanwhile, and then
 * L1's blocks come at once. Elsewhere it is no more than one fault tells it: L2 stands still for as long afterwards.
 */
function withinWindow(
  faults: readonly Planned[],
  { sequencerWindow, blockTime = USUAL_BLOCK }: FaultPlan['world'],
): readonly Planned[] {
  const isAhead = ({ target, fault }: Planned) =>
    target === 'clock:node' && (fault === 'skew' || fault === 'jump')
  const count = faults.filter(isAhead).length
  if (sequencerWindow === undefined && count < 2) return faults
  const stops = faults.some(({ target, fault }) => target === 'process:l1' && fault === 'stop')
  if (sequencerWindow !== undefined && stops) return faults.filter((each) => !isAhead(each))
  const most =
    sequencerWindow === undefined ? MOST_AHEAD : (sequencerWindow * blockTime * 1_000) / 2
  const by = Math.floor(most / count)
  return faults.map((each) => (isAhead(each) ? { ...each, with: { by } } : each))
}

/** One of the states that were met in the fewest runs, of those that this world can be brought to. */
function rarest(
  by: (name: string) => Rng,
  places: readonly Place[],
  reached: Reached,
  crosses: boolean,
): Sometimes | undefined {
  const can = ({ target, fault }: Planned) =>
    places.some((place) => place.target === target && place.faults.includes(fault))
  const possible = SOMETIMES.filter(
    ({ likelier, isOfCrossing }) =>
      (crosses || !isOfCrossing) && (likelier.faults ?? []).every(can),
  )
  const met = ({ name }: Sometimes) => (1 + reached.sometimes(name)) ** 2 - 1
  return likeliest(possible, (name) => by(`aim ${name}`), met)
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

/**
 * One of them, by weight 1 / (1 + met): each draws for itself how soon its turn comes, and the first has it.
 * Source: Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006.
 */
function likeliest<T extends { name: string }>(
  from: readonly T[],
  by: (name: string) => Rng,
  met: (each: T) => number,
): T | undefined {
  let first: { each: T; at: number } | undefined
  for (const each of from) {
    const uniform = (1 + randomInt(by(each.name), FINE)) / FINE
    const at = -Math.log(uniform) * (1 + met(each))
    if (!first || at < first.at) first = { each, at }
  }
  return first?.each
}
