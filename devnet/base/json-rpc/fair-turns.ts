import type { Clock } from '#protocol/clock/clock'

/** Milliseconds of calls between two looks at timers and sockets: a small part of a flashblock. */
const SLICE = 10

/**
 * Shares this thread between callers. Calls run at once while there is time in the slice; after that
 * each waits for its turn, in the order in which they came, and between two turns timers and sockets
 * have theirs. So no caller keeps the others, or the next flashblock, waiting longer than a slice and
 * one call.
 */
export class FairTurns {
  readonly #clock: Clock
  readonly #waiting: (() => void)[] = []
  #spent = 0
  #isScheduled = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether a call that comes now runs at once: nobody waits, and the slice is not used up. */
  get isOpen(): boolean {
    return this.hasTime && this.#waiting.length === 0
  }

  /** Whether the caller whose turn it is may go on. */
  get hasTime(): boolean {
    return this.#spent < SLICE
  }

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  /** Does the work, and counts its time as used of the slice. */
  run<T>(work: () => T): T {
    const began = this.#clock.now()
    try {
      return work()
    } finally {
      this.#spent += this.#clock.now() - began
      this.#schedule()
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#spent = 0
      this.#waiting.shift()?.()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }
}
