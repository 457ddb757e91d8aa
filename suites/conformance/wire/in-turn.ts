/** A process that starts takes a core; more at once would only make all of them late. */
const STARTS_AT_ONCE = 2

const waiting: (() => void)[] = []
let starting = 0

/** Does the work as soon as fewer than two others are under way. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (starting >= STARTS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else starting += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else starting -= 1
  }
}
