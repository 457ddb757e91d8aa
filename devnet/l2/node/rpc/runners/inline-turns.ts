import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'

/**
 * What runs on one executor in this thread runs one after another, whatever chain it is of.
 * @example
 * const turns = new InlineTurns()
 * await turns.take(() => runCall(options, request), signal)
 */
export class InlineTurns {
  readonly #maxWaiting: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #underWay = 0

  /** @param maxWaiting requests that may wait; more get -32005 */
  constructor(maxWaiting = 1_000) {
    this.#maxWaiting = maxWaiting
  }

  /** Whether nothing runs and nothing waits. */
  get isFree(): boolean {
    return this.#underWay === 0
  }

  /** Rejects with JsonRpcError -32005, with the signal's reason, or as `work` does. */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting >= this.#maxWaiting) {
      const data = `${this.#waiting} calls are waiting already.`
      return Promise.reject(new JsonRpcError(-32005, 'too many calls at once', data))
    }
    this.#waiting++
    this.#underWay++
    const turn = this.#last.then(() => {
      this.#waiting--
      signal.throwIfAborted()
      return work()
    })
    const done = () => {
      this.#underWay--
    }
    this.#last = turn.then(done, done)
    return turn
  }
}
