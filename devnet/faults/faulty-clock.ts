import type { Clock } from '#protocol/clock/clock'
import type { EffectsOn } from './fault-effects.ts'
import type { FaultEngine } from './fault-engine.ts'

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

  /** @param by milliseconds; below 0: late. Returns how it goes right again. */
  skew(by: number): () => void {
    this.#ahead += by
    return () => {
      this.#ahead -= by
    }
  }

  readonly effects: EffectsOn<'clock'> = {
    skew: ({ by }) => this.skew(by),
    jump: ({ by }) => {
      this.skew(by)
      return undefined
    },
  }
}

/** The clock of a part, which can be faulted from here on as `clock:PART`. */
export function faultyClockOf(engine: FaultEngine, part: string, right: Clock): Clock {
  const faulty = new FaultyClock(right)
  engine.register(`clock:${part}`, faulty.effects)
  return faulty
}
