import type { Clock } from './clock.ts'

/**
 * A clock that shows `time` now and keeps the pace of another.
 * @param time milliseconds since the Unix epoch
 */
export function clockFrom(clock: Clock, time: number): Clock {
  const ahead = time - clock.now()
  return {
    now: () => clock.now() + ahead,
    after: (delay, action) => clock.after(delay, action),
  }
}
