import { SteadyClock } from './steady-clock.ts'

/** The machine's clock. The one place that may touch `Date` and timers (lint). */
export const systemClock = new SteadyClock({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(delay, action) {
    const timer = setTimeout(action, delay)
    return { cancel: () => clearTimeout(timer) }
  },
})
