import type { Clock } from '#protocol/clock/clock'
import type { BringAbout } from './fault-engine.ts'

/** A clock that can go wrong. What was to happen after a while happens after that while. */
export class FaultyClock implements Clock {
  readonly #right: Clock
  #ahead = 0

  constructor(right: Clock) {
    this.#right = right
  }

  now(): number {
    return this.#right.now() + this.#ahead
  }

  after(delay: number, action: () => void) {
    return this.#right.after(delay, action)
  }

  readonly bringAbout: BringAbout = (fault, parameters) => {
    const by = Number(parameters.by)
    this.#ahead += by
    if (fault === 'jump') return undefined
    return () => {
      this.#ahead -= by
    }
  }
}
