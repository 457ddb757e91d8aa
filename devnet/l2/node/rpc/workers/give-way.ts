import { setPriority } from 'node:os'

/** A third of the share of CPU time that the node's own thread has. */
const NICENESS = 5

/**
 * Lets flashblocks come first from here on, also where cores are few. Linux counts niceness by thread; elsewhere
 * it would be that of the whole process, so there it does nothing.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(NICENESS)
}
