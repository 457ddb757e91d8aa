import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { World } from '#devnet/rollup/world/world'
import type { Violation } from '../checkers/checker.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { parseLog } from '../judge-log.ts'
import { guiltyPart } from '../model/guilty-part.ts'
import type { PartName } from '../model/part-name.ts'
import type { WeatherRun } from '../run-weather.ts'
import { drawPlan } from './draw-plan.ts'
import { drawWorld } from './draw-world.ts'
import type { Place } from './place.ts'
import { playIn } from './play-in.ts'
import type { Planned, PlayRun } from './play-run.ts'
import { type Counts, Reached } from './reached.ts'
import { Roots } from './roots.ts'
import { shrinkFailure } from './shrink-failure.ts'

export interface SwarmOptions {
  /** Infinity: until `isOver`. */
  runs: number
  /** Of the first run; each of the others has the next. */
  seed: number
  /** Of every run. Default: some runs cross to blocks of 200 ms, by their seeds. */
  world?: FaultPlan['world']
  /** This one plays every `of`th run, from `index`. */
  shard?: { index: number; of: number }
  /** Starts the world of a run. Default: a simulated one. */
  open?: (planned: Planned) => Promise<World>
  /** Plays a run. Default: in a world that `open` starts for it. */
  play?: PlayRun
  /** What earlier swarms have found: it is played before anything is drawn, and what is found goes into it. */
  corpus?: Corpus
  /** Futures of each run that came to a state first; every second run is one, as long as there are. @default 0 */
  explore?: number
  /** No other run begins once this is so. */
  isOver?: () => boolean
  /** Go on after a run that broke something. Default: the swarm ends with it. */
  goOn?: boolean
  /** Look for the smallest plan that breaks the same. Default true. */
  shrink?: boolean
  progress?: (played: number, of: number) => void
  /** Told of a run that broke something as soon as it is over, before its plan is shrunk. */
  found?: (failure: SwarmFailure) => void
}

export interface SwarmFailure {
  seed: number
  /** Its run was a future of another's beginning. */
  isBranch?: true
  plan: FaultPlan
  violations: Violation[]
  /** By whose output the model was first contradicted. */
  guilty?: PartName
  /** Empty of all but the first few. */
  ndjson: string
  /** Of the corpus, where it was known before. */
  known?: string
  /** The smallest plan that breaks the same, and how many were played for it. */
  shrunk?: { plan: FaultPlan; plays: number }
}

export interface SwarmResult {
  /** Of the runs that were drawn. */
  played: number
  /** Among them futures of a run that had come to something first. */
  branches: number
  /** Known failures that were played first. */
  again: number
  reached: Counts
  /** The runs that broke what must hold. */
  failures: SwarmFailure[]
}

/** Logs that are kept, of the first runs that broke something; plans are kept of all. */
const MOST_LOGS = 5

/** Plays what is known and then random weather, run after run, until one of them breaks what must hold. */
export async function playSwarm(options: SwarmOptions): Promise<SwarmResult> {
  const { runs, seed: first, shard = { index: 0, of: 1 }, corpus, goOn = false } = options
  const { isOver = () => false } = options
  const play = options.play ?? playIn(options.open)
  const reached = new Reached()
  const roots = new Roots(options.explore ?? 0)
  const failures: SwarmFailure[] = []
  // A farm plays for days: the log of each failure would not fit into memory.
  const keep = (failure: SwarmFailure) =>
    failures.push(failures.length < MOST_LOGS ? failure : { ...failure, ndjson: '' })
  const isEnded = () => isOver() || (failures.length > 0 && !goOn)
  let again = 0
  for (const known of corpus?.toPlay(shard) ?? []) {
    if (isEnded()) break
    const run = await play(known.plan, () => known.plan)
    again += 1
    if (!corpus?.playedAgain(known, run.violations)) continue
    const failure = { ...failureOf(run), known: known.key }
    options.found?.(failure)
    keep(failure)
  }
  const mine = Math.max(0, Math.ceil((runs - shard.index) / shard.of))
  let [played, branches] = [0, 0]
  for (; played < mine && !isEnded(); ) {
    const seed = first + shard.index + (played - branches) * shard.of
    const branch = played % 2 === 1 ? roots.next(reached) : undefined
    const world = branch?.world ?? options.world ?? drawWorld(seed)
    let known: readonly Place[] = []
    const run = await play(branch ?? { seed, world }, (places) => {
      known = places
      reached.know(places)
      return branch ?? drawPlan(seed, places, reached, world)
    })
    const events = parseLog(run.ndjson)
    reached.add(events)
    if (options.explore) roots.add(run.plan, events, known)
    played += 1
    branches += branch ? 1 : 0
    options.progress?.(played, mine)
    const failure = { ...failureOf(run), ...(branch && { isBranch: true as const }) }
    if (run.violations.length > 0) keep(await takeIn(failure, play, options))
  }
  return { played, branches, again, reached: reached.counts(), failures }
}

/** Shrinks a failure that is new, and remembers it. */
async function takeIn(
  failure: SwarmFailure,
  play: PlayRun,
  { corpus, shrink = true, found }: SwarmOptions,
): Promise<SwarmFailure> {
  const { plan, violations } = failure
  const known = corpus?.meets(plan, violations)
  const met = { ...failure, ...(known && { known: known.key }) }
  found?.(met)
  if (known) return met
  const shrunk =
    shrink && (await shrinkFailure(plan, violations, (smaller) => play(smaller, () => smaller)))
  const least = shrunk || { plan, violations }
  corpus?.add(least.plan, least.violations)
  return { ...met, ...(shrunk && { shrunk: { plan: shrunk.plan, plays: shrunk.plays } }) }
}

function failureOf({ plan, violations, ndjson }: WeatherRun): SwarmFailure {
  // Most runs break nothing, and their log is long.
  const guilty = violations.length > 0 && guiltyPart(violations, parseLog(ndjson))
  return { seed: plan.seed, plan, violations, ...(guilty && { guilty }), ndjson }
}
