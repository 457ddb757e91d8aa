/** A process that starts takes a core; more at once would only make all of them late. */
const STARTS_AT_ONCE = 2

/** Does the work as soon as fewer than two others are under way. */
export const inTurn = turnsOf(STARTS_AT_ONCE)

/** A queue of its own, for work of which at most so many may be under way. */
export function turnsOf(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else underWay += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay -= 1
    }
  }
}
