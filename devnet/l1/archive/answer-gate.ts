/**
 * Holds answers back while something is written down. A caller must not be told of a block that a
 * crash could still lose.
 */
export class AnswerGate {
  #closed = 0
  #opened = Promise.withResolvers<void>()

  /** Does the work; until it has ended, well or not, `open` does not resolve. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed++ === 0) this.#opened = Promise.withResolvers()
    try {
      return await work()
    } finally {
      if (--this.#closed === 0) this.#opened.resolve()
    }
  }

  /** Resolves when no work is under way: answers may be sent. */
  async open(): Promise<void> {
    while (this.#closed > 0) await this.#opened.promise
  }
}
