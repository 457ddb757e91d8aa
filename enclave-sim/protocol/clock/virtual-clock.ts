import type { Clock, Timer } from './clock.ts'

interface Alarm {
  at: number
  action: () => void
}

/**
 * A clock that moves only when told. `advance` runs every due action in time order and lets pending
 * promises settle between two actions, so code behaves as it would have in real time.
 *
 * @example
 * const clock = new VirtualClock(1_700_000_000_000)
 * clock.after(1_740_000, () => timedOut())
 * await clock.advance(1_740_000)
 */
export class VirtualClock implements Clock {
  #now: number
  /** In the order in which they were armed. */
  readonly #alarms = new Set<Alarm>()
  readonly #settle: () => Promise<void>

  /** @param settled resolves when what can go on without time passing has done so */
  constructor(start = 1_700_000_000_000, settled: () => Promise<void> = oneRound) {
    this.#now = start
    this.#settle = settled
  }

  now(): number {
    return this.#now
  }

  after(delay: number, action: () => void): Timer {
    const alarm = { at: this.#now + Math.max(0, delay), action }
    this.#alarms.add(alarm)
    return {
      cancel: () => {
        this.#alarms.delete(alarm)
      },
    }
  }

  /** Moves time forward by `duration` milliseconds, running what falls due on the way. */
  async advance(duration: number): Promise<void> {
    const until = this.#now + duration
    for (;;) {
      await this.#settle()
      const next = this.#next()
      if (!next || next.at > until) break
      this.#alarms.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.action()
    }
    this.#now = until
    await this.#settle()
  }

  /** When the next action is due, in milliseconds since the epoch; undefined when none is armed. */
  nextAlarm(): number | undefined {
    return this.#next()?.at
  }

  /** The earliest; of those that are due at once, the one that was armed first. */
  #next(): Alarm | undefined {
    let next: Alarm | undefined
    for (const alarm of this.#alarms) if (!next || alarm.at < next.at) next = alarm
    return next
  }
}

/** Lets promise reactions and one round of I/O callbacks run. */
function oneRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
