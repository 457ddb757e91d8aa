import type { LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import type { Sometimes } from './sometimes.ts'

/**
 * When a log came to a state first, in milliseconds: the last event of its shortest beginning that holds it.
 * @param events hold it
 */
export function momentOf({ isIn }: Sometimes, events: readonly LoggedEvent[]): number {
  let [without, within] = [0, events.length]
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2)
    const beginning = events.slice(0, middle)
    if (isIn(beginning, faultTimes(beginning))) within = middle
    else without = middle
  }
  return events[within - 1]!.t
}
