import type { TimeLimit } from '../time-limit.ts'

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
