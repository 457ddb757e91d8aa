import type { Clock } from '../../enclave-sim/protocol/clock/clock.ts'
import { SteadyClock } from '../../enclave-sim/protocol/clock/steady-clock.ts'
import { seededRng } from '../../enclave-sim/protocol/random/rng.ts'

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
