import { RollbedError } from '#protocol/errors/rollbed-error'

/** Runs one piece of work at a time, in order. */
export type ProofQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * One proof at a time; a few wait, more are refused (OPEN-91).
 * @param waiting how many may wait behind the running one
 * The returned function throws EnclaveBusy when the queue is full.
 */
export function createProofQueue(waiting: number): ProofQueue {
  let pending = 0
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    if (pending > waiting) return Promise.reject(new EnclaveBusy())
    pending++
    const result = tail.then(work)
    tail = result.catch(() => {}).finally(() => pending--)
    return result
  }
}

export class EnclaveBusy extends RollbedError {
  constructor() {
    // Message as later Base builds word it; their host answers -32002.
    super('ENCLAVE_BUSY', 'enclave busy: another proof request is already in flight')
  }
}
