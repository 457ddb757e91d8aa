import type { Clock, Timer } from '#protocol/clock/clock'

/** Where it is not over yet, it goes on by such a share of the limit, up to so many times the limit. */
const [STEP, MOST] = [1 / 3, 4]

/** What a case may take; it does not run while the case only waits for its turn. */
export class TimeLimit {
  readonly #clock: Clock
  readonly #over = Promise.withResolvers<never>()
  readonly #whenOver: (limit: TimeLimit) => Error
  readonly #limit: number
  readonly #goesOn: (limit: TimeLimit) => boolean
  #left: number
  #spent = 0
  #since = 0
  #pauses = 0
  #isOver = false
  #wentOn = false
  #timer: Timer | undefined

  /**
   * @param limit milliseconds, from now on
   * @param goesOn whether the work is slow, but not stuck: then it gets more time, four times the limit at most
   */
  constructor(
    clock: Clock,
    limit: number,
    whenOver: (limit: TimeLimit) => Error,
    goesOn: (limit: TimeLimit) => boolean = () => false,
  ) {
    this.#clock = clock
    this.#limit = limit
    this.#goesOn = goesOn
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

  /** Whether the work got more time than the limit, because it was slow. */
  get wentOn(): boolean {
    return this.#wentOn
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
    if (this.#pauses === 1) this.#stop()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#pauses -= 1
      if (this.#pauses === 0 && !this.#isOver) this.#run()
    }
  }

  /** It is over no more, but counts no further either, whatever pause ends afterwards. */
  end(): void {
    this.#isOver = true
    this.#stop()
  }

  #stop(): void {
    const { spent } = this
    this.#left -= spent - this.#spent
    this.#spent = spent
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #run(): void {
    this.#since = this.#clock.now()
    this.#timer = this.#clock.after(this.#left, () => {
      this.#stop()
      if (this.spent >= MOST * this.#limit || !this.#goesOn(this)) {
        this.#over.reject(this.#whenOver(this))
        return
      }
      this.#wentOn = true
      this.#left = STEP * this.#limit
      this.#run()
    })
  }
}
