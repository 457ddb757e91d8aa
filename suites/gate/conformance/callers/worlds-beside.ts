import { availableParallelism, loadavg } from 'node:os'

/** Of the target's answers some are timed; half of the worlds only wait. */
const BESIDE = 4
/** For each core: where so many want to run already, whatever is added keeps the target from answering in time. */
const BUSY = 2

/**
 * Worlds of callers at once while a target is judged: none where the machine has other work.
 * @param load how many want to run for each core, over the last minute
 */
export function worldsBeside(load = loadavg()[0]! / availableParallelism()): number {
  return load > BUSY ? 0 : BESIDE
}
