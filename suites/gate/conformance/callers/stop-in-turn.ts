/**
 * Stops what was begun, the last first, when the block ends that it was declared in with `await using`.
 * AsyncDisposableStack of Node 24 would do it; Node 22 has none.
 */
export class StopInTurn implements AsyncDisposable {
  #stops: (() => unknown)[] = []

  defer(stop: () => unknown): void {
    this.#stops.unshift(stop)
  }

  /** Rejects with the first failure, after all were tried. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = []
    for (const stop of this.#stops.splice(0)) {
      try {
        await stop()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
