/**
 * Holds answers back while something is written down. A caller must not be told of a block that a
 * crash could still lose.
 */
export class AnswerGate {
  #closed = 0
  #reason: Error | undefined
  #changed = Promise.withResolvers<void>()

  /** Does the work; until it has ended, well or not, `open` does not resolve. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#closed += 1
    try {
      return await work()
    } finally {
      this.#closed -= 1
      this.#tell()
    }
  }

  /** From here on nothing may leave, for this reason; undefined: what could not be written now is. */
  shut(reason: Error | undefined): void {
    this.#reason = reason
    this.#tell()
  }

  get isShut(): boolean {
    return this.#reason !== undefined
  }

  /** Resolves when all is written, however long that takes: events may be sent. */
  async open(): Promise<void> {
    while (this.#closed > 0 || this.#reason) await this.#changed.promise
  }

  /** As `open`, for answers. @throws the reason where it was shut */
  async pass(): Promise<void> {
    while (this.#closed > 0 && !this.#reason) await this.#changed.promise
    if (this.#reason) throw this.#reason
  }

  #tell(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
