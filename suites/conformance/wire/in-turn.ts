import type { TimeLimit } from '../time-limit.ts'

/** A process that starts takes a core; more at once would only make all of them late. */
const STARTS_AT_ONCE = 2

/** Does the work as soon as fewer than two others are under way. */
export const inTurn = turnsOf(STARTS_AT_ONCE)

/**
 * A queue of its own, for work of which at most so many may be under way. A time limit that is given
 * stands still until it is the work's turn.
 */
export function turnsOf(
  most: number,
): <T>(work: () => Promise<T>, limit?: TimeLimit) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work, limit) => {
    if (underWay >= most) {
      const goOn = limit?.pause()
      await new Promise<void>((resolve) => waiting.push(resolve))
      goOn?.()
    } else underWay += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay -= 1
    }
  }
}
