import { SteadyClock } from './steady-clock.ts'

/** The machine's clock. The one place that may touch `Date` and timers (lint). */
export const systemClock = new SteadyClock({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(delay, action) {
    // A timer of 0 takes a whole millisecond, in which a test with many short waits does nothing.
    if (delay <= 0) {
      const immediate = setImmediate(action)
      return { cancel: () => clearImmediate(immediate) }
    }
    const timer = setTimeout(action, delay)
    return { cancel: () => clearTimeout(timer) }
  },
})
