import type { Clock, Timer } from '#protocol/clock/clock'

/** Milliseconds without a word from L1 after which its callers hear that it does not answer. */
const L1_SILENCE_LIMIT = 20_000
/**
 * Of the limit, what counts at most from one look to the next. Who looks late was kept from the processor, and has
 * not read what L1 said meanwhile: that is no silence.
 */
const STEP = 1 / 20

/**
 * Knows when L1 answered last. A stopped process keeps its socket, and takes what it is sent: only its
 * silence tells. While it answers anybody, long work may go on; when it has said nothing for the limit, all
 * that waits for it ends.
 */
export class L1Silence {
  readonly #clock: Clock
  readonly #limit: number
  #heard: number

  /**
   * @param clock the machine's
   * @param limit milliseconds
   */
  constructor(clock: Clock, limit = L1_SILENCE_LIMIT) {
    this.#clock = clock
    this.#limit = limit
    this.#heard = clock.now()
  }

  /** L1 said something. */
  heard(): void {
    this.#heard = this.#clock.now()
  }

  /** The same work, which rejects when L1 has been silent for the limit while it was waited for. */
  during<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = this.watch(reject)
      work.then(resolve, reject).finally(end)
    })
  }

  /** @param onSilence called once, unless what it returns was called before */
  watch(onSilence: (error: Error) => void): () => void {
    let silent = 0
    let timer: Timer
    const wait = () => {
      const before = this.#clock.now()
      const step = Math.min(this.#limit - silent, this.#limit * STEP)
      timer = this.#clock.after(step, () => {
        silent =
          this.#heard >= before ? Math.min(this.#clock.now() - this.#heard, step) : silent + step
        if (silent < this.#limit) wait()
        else onSilence(new L1Silent(this.#limit))
      })
    }
    wait()
    return () => timer?.cancel()
  }
}

/** L1 has a process, which says nothing. */
export class L1Silent extends Error {
  constructor(limit: number) {
    super(`anvil has said nothing for ${limit / 1000} s.`)
  }
}
