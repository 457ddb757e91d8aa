import type { Clock } from '#protocol/clock/clock'

/** Every wait is over at once, and time has passed. */
export function hastyClock(): Clock {
  let now = 0
  return {
    now: () => now,
    after(delay, action) {
      now += delay
      const soon = setImmediate(action)
      return { cancel: () => clearImmediate(soon) }
    },
  }
}
