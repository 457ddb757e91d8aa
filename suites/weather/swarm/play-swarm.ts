import type { FaultPlan } from '../../../devnet/faults/fault-plan.ts'
import { startSimulatedWorld } from '../../../devnet/world/start-simulated-world.ts'
import type { Violation } from '../checkers/checker.ts'
import { parseLog } from '../checkers/judge-log.ts'
import { runWeather } from '../run-weather.ts'
import { drawPlan, type Place } from './draw-plan.ts'
import { Reached } from './reached.ts'

export interface SwarmOptions {
  runs: number
  /** Of the first run; each of the others has the next. */
  seed: number
  /** This one plays every `of`th run, from `index`. */
  shard?: { index: number; of: number }
  progress?: (played: number, of: number) => void
}

export interface SwarmResult {
  played: number
  /** How many runs reached a thing, by its name. */
  reached: Record<string, number>
  never: string[]
  /** The first run that broke what must hold; the swarm ends with it. */
  failure?: { seed: number; plan: FaultPlan; violations: Violation[]; ndjson: string }
}

/** Plays random weather in simulated worlds until one of them breaks what must hold. */
export async function playSwarm(options: SwarmOptions): Promise<SwarmResult> {
  const { runs, seed: first, shard = { index: 0, of: 1 } } = options
  const seeds = Array.from({ length: runs }, (_, index) => first + index).filter(
    (_, index) => index % shard.of === shard.index,
  )
  const reached = new Reached(await simulatedPlaces())
  let played = 0
  let failure: SwarmResult['failure']
  for (const seed of seeds) {
    const { plan, ndjson, violations } = await playOne(seed)
    reached.add(parseLog(ndjson))
    played++
    options.progress?.(played, seeds.length)
    if (violations.length === 0) continue
    failure = { seed, plan, violations, ndjson }
    break
  }
  return { played, reached: reached.counts(), never: reached.never(), ...(failure && { failure }) }
}

/** What a simulated world can do to what. */
export async function simulatedPlaces(): Promise<Place[]> {
  await using world = await startSimulatedWorld()
  return world.faults.targets()
}

async function playOne(seed: number) {
  await using world = await startSimulatedWorld({ seed })
  const plan = drawPlan(seed, world.faults.targets())
  // Not before it is over may the world be stopped.
  return await runWeather(world, plan)
}
