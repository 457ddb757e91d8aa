/** Does work piece by piece, in the order in which it was asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Does the work when all that was asked for before is over, well or not. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  /** Resolves when all that was asked for so far is over. */
  async idle(): Promise<void> {
    await this.#last
  }
}
