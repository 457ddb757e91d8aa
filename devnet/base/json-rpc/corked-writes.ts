import type { Clock } from '#protocol/clock/clock'

/** Milliseconds after its request for which an answer waits for others. */
const LONGEST_WAIT = 1

/**
 * Writes the answers to what callers sent at the same time one right after the other. A write wakes the process
 * that waits for it, which takes as long as many an answer; one that is awake need not be woken again. So
 * answers wait until the event loop has heard everybody who sent something, but no longer than a millisecond.
 */
export class CorkedWrites {
  readonly #clock: Clock
  readonly #writes: (() => void)[] = []
  #oldest = 0
  #isScheduled = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param asked when its request came, by the same clock */
  add(write: () => void, asked: number): void {
    if (this.#writes.push(write) === 1) this.#oldest = asked
    if (this.#clock.now() - this.#oldest >= LONGEST_WAIT) this.#uncork()
    else this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#uncork()
    })
  }

  #uncork(): void {
    for (const write of this.#writes.splice(0)) write()
  }
}
