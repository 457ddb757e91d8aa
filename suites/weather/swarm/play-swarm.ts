import type { FaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { World } from '#devnet/rollup/world/world'
import type { Violation } from '../checkers/checker.ts'
import { parseLog } from '../judge-log.ts'
import { runWeather, type WeatherRun } from '../run-weather.ts'
import { drawPlan } from './draw-plan.ts'
import { type Counts, Reached } from './reached.ts'
import { shrinkFailure } from './shrink-failure.ts'

export interface SwarmOptions {
  runs: number
  /** Of the first run; each of the others has the next. */
  seed: number
  /** This one plays every `of`th run, from `index`. */
  shard?: { index: number; of: number }
  /** Starts the world of a run. Default: a simulated one. */
  open?: (planned: Pick<FaultPlan, 'seed'>) => Promise<World>
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
  plan: FaultPlan
  violations: Violation[]
  ndjson: string
  /** The smallest plan that breaks the same, and how many were played for it. */
  shrunk?: { plan: FaultPlan; plays: number }
}

export interface SwarmResult {
  played: number
  reached: Counts
  /** The runs that broke what must hold. */
  failures: SwarmFailure[]
}

/** Plays random weather, run after run, until one of them breaks what must hold. */
export async function playSwarm(options: SwarmOptions): Promise<SwarmResult> {
  const { runs, seed: first, shard = { index: 0, of: 1 }, shrink = true } = options
  const seeds = Array.from({ length: runs }, (_, index) => first + index).filter(
    (_, index) => index % shard.of === shard.index,
  )
  const reached = new Reached()
  const failures: SwarmFailure[] = []
  let played = 0
  for (const seed of seeds) {
    const { plan, ndjson, violations } = await playOne(seed, options, (world) => {
      const places = world.faults.targets()
      reached.know(places)
      return drawPlan(seed, places, reached)
    })
    reached.add(parseLog(ndjson))
    played += 1
    options.progress?.(played, seeds.length)
    if (violations.length === 0) continue
    const failure = { seed, plan, violations, ndjson }
    options.found?.(failure)
    const again = (smaller: FaultPlan) => playOne(seed, options, () => smaller)
    const shrunk = shrink && (await shrinkFailure(plan, violations, again))
    failures.push({ ...failure, ...(shrunk && { shrunk }) })
    if (!options.goOn) break
  }
  return { played, reached: reached.counts(), failures }
}

async function playOne(
  seed: number,
  { open = (planned) => startSimulatedWorld(optionsFor(planned)) }: SwarmOptions,
  planFor: (world: World) => FaultPlan,
): Promise<WeatherRun> {
  await using world = await open({ seed })
  // Not before it is over may the world be stopped.
  return await runWeather(world, planFor(world))
}
