import type { Clock, Timer } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { AnswerGate } from './answer-gate.ts'

/** Milliseconds from one try to the next. */
const PACE = 1_000

export interface ArchiveKeeperOptions {
  /** Archives what is new on L1. */
  archive(): Promise<void>
  /** Number of the newest block in the archive. */
  newest(): number | undefined
  clock: Clock
  /** Shut while anvil has something that is not on disk. */
  gate?: AnswerGate | undefined
  /** Told why L1 waits, at each try, and `undefined` when it goes on. */
  onWaits?: ((reason: RollbedError | undefined) => void) | undefined
}

/**
 * Archives L1, and waits for a disk that takes nothing: it is tried again once a second, and until then
 * nothing more may happen on L1.
 */
export class ArchiveKeeper {
  readonly #options: ArchiveKeeperOptions
  #reason: RollbedError | undefined
  #timer: Timer | undefined
  #trying: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: ArchiveKeeperOptions) {
    this.#options = options
  }

  /** @throws L1_NOT_WRITTEN, also without a try while it waits */
  async archive(): Promise<void> {
    this.requireWritten()
    await this.#archive()
  }

  /** @throws L1_NOT_WRITTEN while it waits */
  requireWritten(): void {
    if (this.#reason) throw this.#reason
  }

  /** Resolves when no try of its own is under way. */
  async idle(): Promise<void> {
    await this.#trying
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#trying
  }

  async #archive(): Promise<void> {
    const { archive, newest } = this.#options
    try {
      await archive()
    } catch (error) {
      const reason = notWritten(newest(), error as Error)
      this.#tell(reason)
      throw reason
    }
    this.#tell(undefined)
  }

  #tell(reason: RollbedError | undefined): void {
    const { clock, gate, onWaits } = this.#options
    this.#timer?.cancel()
    if (this.#isStopped || !(reason || this.#reason)) return
    this.#reason = reason
    gate?.shut(reason)
    onWaits?.(reason)
    if (reason) this.#timer = clock.after(PACE, () => this.#tryAgain())
  }

  #tryAgain(): void {
    // Why it failed again was told.
    this.#trying = this.#archive().catch(() => {})
  }
}

function notWritten(newest: number | undefined, cause: Error): RollbedError {
  const since = newest === undefined ? 'it began' : `block ${newest}`
  return new RollbedError(
    'L1_NOT_WRITTEN',
    `What happened on L1 since ${since} could not be written to disk: ${cause.message}.`,
    {
      hint: 'Make room where --state keeps it, without --state where TMPDIR says: it is tried again.',
      cause,
    },
  )
}
