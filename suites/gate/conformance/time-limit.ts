import type { Clock, Timer } from '#protocol/clock/clock'

/** What a case may take; it does not run while the case only waits for its turn. */
export class TimeLimit {
  readonly #clock: Clock
  readonly #over = Promise.withResolvers<never>()
  readonly #whenOver: () => Error
  readonly #limit: number
  #left: number
  #spent = 0
  #since = 0
  #pauses = 0
  #timer: Timer | undefined

  /** @param limit milliseconds, from now on */
  constructor(clock: Clock, limit: number, whenOver: () => Error) {
    this.#clock = clock
    this.#limit = limit
    this.#left = limit
    this.#whenOver = whenOver
    // Nobody may ask; then it is no rejection that went unheard.
    this.#over.promise.catch(() => {})
    this.#run()
  }

  /** Milliseconds that counted so far. */
  get spent(): number {
    return this.#spent + (this.#timer ? this.#clock.now() - this.#since : 0)
  }

  /** Which part of it counted so far, from 0 to 1. */
  get share(): number {
    return this.spent / this.#limit
  }

  /** Settles as the work does, or rejects once the limit is over. */
  hold<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over.promise])
  }

  /** @returns what ends the pause; of several at once the last one does */
  pause(): () => void {
    this.#pauses += 1
    if (this.#pauses === 1) this.end()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#pauses -= 1
      if (this.#pauses === 0) this.#run()
    }
  }

  /** It is over no more, but counts no further either. */
  end(): void {
    const { spent } = this
    this.#left -= spent - this.#spent
    this.#spent = spent
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #run(): void {
    this.#since = this.#clock.now()
    this.#timer = this.#clock.after(this.#left, () => this.#over.reject(this.#whenOver()))
  }
}
