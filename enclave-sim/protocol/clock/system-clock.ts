import type { Clock } from './clock.ts'

/** The machine's clock. The one place that may touch `Date` and timers (lint). */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, action) {
    const timer = setTimeout(action, delay)
    return { cancel: () => clearTimeout(timer) }
  },
}
