import type { Clock } from '#protocol/clock/clock'
import { SteadyClock } from '#protocol/clock/steady-clock'
import { seededRng } from '#protocol/random/rng'

export interface UnsteadyClock extends Clock {
  /** The machine sleeps: its time of day goes on by so many milliseconds, its timers do not. */
  sleep(duration: number): void
}

/** The clock of a real machine over a steady one: timers fire 2 ms early to 18 ms late. */
export function unsteadyClock(steady: Clock): UnsteadyClock {
  const rng = seededRng('unsteady clock')
  let slept = 0
  const clock = new SteadyClock({
    wall: () => steady.now() + slept,
    monotonic: () => steady.now(),
    after: (delay, action) => steady.after(delay + (rng.bytes(1)[0]! % 21) - 2, action),
  })
  return {
    now: () => clock.now(),
    after: (delay, action) => clock.after(delay, action),
    sleep(duration) {
      slept += duration
    },
  }
}
