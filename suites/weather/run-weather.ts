import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { World } from '#devnet/rollup/world/world'
import type { LoggedEvent, Violation } from './checkers/checker.ts'
import { judgeLog, parseLog } from './judge-log.ts'
import { paceOf } from './pace-of.ts'
import { startWeather } from './start-weather.ts'
import { tellResources, tellResourcesLeft } from './tell-resources.ts'

export interface WeatherRun {
  plan: FaultPlan
  /** The whole log, one event a line. */
  ndjson: string
  violations: Violation[]
  /** Milliseconds of the world's time. */
  duration: number
}

/** Milliseconds for each thing to work again, once the weather is over. */
const LIVENESS_LIMIT = 60_000

/**
 * Lets a plan rain on a world while clients load it, then waits until everything works again, and
 * judges the log. The world is the caller's, who stops it.
 *
 * @param only names of checkers; all by default
 * @throws RollbedError TARGET_UNKNOWN, FAULT_UNKNOWN at once; nobody loads the world any more
 */
export async function runWeather(
  world: World,
  plan: FaultPlan,
  only?: readonly string[],
): Promise<WeatherRun> {
  const { recorder } = world
  const handles = tellResources(world)
  const began = world.now()
  const { clients, played } = startWeather(world, plan)
  // A fault that cannot be brought about is told below; until then nobody waits for it.
  played.done.catch(() => {})
  try {
    await world.runUntil(began + plan.duration)
    await past(world, played.done)
    const probing = clients.probe(plan, LIVENESS_LIMIT * paceOf(world))
    await past(world, probing)
    await past(world, clients.stop())
  } catch (error) {
    // In a real world they would go on for ever.
    clients.leave()
    throw error
  }
  await tellResourcesLeft(world, handles)
  const ndjson = recorder.toNdjson()
  const events: LoggedEvent[] = parseLog(ndjson)
  const duration = world.now() - began
  return { plan, ndjson, violations: judgeLog(events, only), duration }
}

/** Lets the world live until this is done: in a simulated one nothing happens by itself. */
async function past(world: World, work: Promise<unknown>): Promise<void> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => {})
  if (world.kind === 'real') {
    await done
    return
  }
  for (let rounds = 0; !isDone && rounds < 10_000; rounds++) {
    await world.runUntil(world.now() + 250 * paceOf(world))
  }
  await done
}
