import type { Clock } from '#protocol/clock/clock'

/** A machine's clock that may be wrong: what it shows, not how long things take. */
export class SkewedClock implements Clock {
  readonly #clock: Clock
  /** Milliseconds that it is ahead; below 0: late. */
  ahead = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now() + this.ahead
  }

  after(delay: number, action: () => void) {
    return this.#clock.after(delay, action)
  }
}
