import type { World } from '#devnet/rollup/world/world'
import { type Clock, sleep } from '#protocol/clock/clock'
import { HANDLES_ROOM } from './checkers/service-checkers.ts'

/** Milliseconds between two looks. */
const LOOK_EVERY = 500
/** Milliseconds. An idle connection is closed after some five seconds, and later where the machine is overloaded. */
const LIMIT = 60_000

/** Tells how many handles the process has, where it has any of its own: in a real world. @returns how many */
export function tellResources(world: World): number {
  if (world.kind !== 'real') return 0
  const handles = openHandles()
  world.recorder.record('world', 'resources.seen', { handles })
  return handles
}

/** Tells it again once the connections that nobody uses any more are closed. */
export async function tellResourcesLeft(world: World, before: number): Promise<void> {
  if (world.kind !== 'real') return
  await untilAtMost(before + HANDLES_ROOM, openHandles, world.clock)
  tellResources(world)
}

/**
 * Waits for a count to come down, at most a minute. Each request that is open beside others has a connection of its
 * own, four sockets with the proxy between: a slow machine has a hundred of them when the last answer comes, and
 * keeps them open for the next request. What is never closed is still there after the minute.
 */
export async function untilAtMost(most: number, count: () => number, clock: Clock): Promise<void> {
  const until = clock.now() + LIMIT
  while (count() > most && clock.now() < until) await sleep(clock, LOOK_EVERY)
}

const openHandles = () => process.getActiveResourcesInfo().length
