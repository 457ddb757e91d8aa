import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'

/** Requests that may wait for one enclave beside the one it works on. */
const MAX_WAITING = 8

/**
 * One proof at a time per enclave, in order of arrival; a bounded number may wait (OPEN-91).
 * A witness can be large, so it is built inside the turn, not while waiting.
 */
export class ProofQueue {
  #waiting: (() => void)[] = []
  #busy = false

  /** Whether work runs, so that more would wait. */
  get busy(): boolean {
    return this.#busy
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Runs `work` when all earlier work has settled.
   * @throws EnclaveBusy at once when the queue is full; the signal's reason when it is aborted first.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(signal)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy = false
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!this.#busy) {
      this.#busy = true
      return
    }
    if (this.#waiting.length >= MAX_WAITING) throw new EnclaveBusy()
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== begin)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(begin)
    })
  }
}

export class EnclaveBusy extends JsonRpcError {
  constructor() {
    super(-32002, 'enclave busy: too many proof requests are waiting')
  }
}
