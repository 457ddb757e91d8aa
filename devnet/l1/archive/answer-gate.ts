/** Holds answers back while something is under way that they may already tell of. */
export class AnswerGate {
  #closed = 0
  #opened = Promise.withResolvers<void>()

  /** No answer leaves until this has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed++ === 0) this.#opened = Promise.withResolvers()
    try {
      return await work()
    } finally {
      if (--this.#closed === 0) this.#opened.resolve()
    }
  }

  /** Resolves when answers may leave. */
  async open(): Promise<void> {
    while (this.#closed > 0) await this.#opened.promise
  }
}
