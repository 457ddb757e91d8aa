import { setImmediate } from 'node:timers/promises'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'

/** Bytes of JSON, about; the server sends no more than 160 MB. */
const MAX_TRACE_BYTES = 64_000_000
/** Steps between two looks at whether the caller is still there. */
const STEPS_PER_TURN = 4_096

/** What a trace may use: time, as long as nobody aborts it, and memory for what it tells. */
export class TraceBudget {
  readonly #signal: AbortSignal
  #bytesLeft: number
  #steps = 0

  constructor(signal: AbortSignal, maxBytes = MAX_TRACE_BYTES) {
    this.#signal = signal
    this.#bytesLeft = maxBytes
  }

  /**
   * Counts a step, and now and then takes turns.
   * @throws the signal's reason
   */
  step(): void | Promise<void> {
    if (++this.#steps % STEPS_PER_TURN === 0) return this.takeTurns()
  }

  /** @throws JsonRpcError -32000 when the trace would become too large. */
  spend(bytes: number): void {
    this.#bytesLeft -= bytes
    if (this.#bytesLeft >= 0) return
    const data = 'Ask for less: limit, disableStack, disableStorage, or another tracer.'
    throw new JsonRpcError(-32000, 'trace too large', data)
  }

  /**
   * Lets other work go on, and ends what nobody waits for any more.
   * @throws the signal's reason
   */
  async takeTurns(): Promise<void> {
    await setImmediate()
    this.#signal.throwIfAborted()
  }
}
