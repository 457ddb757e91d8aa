import { type Clock, withTimeout } from '#protocol/clock/clock'

export interface Deadline {
  clock: Clock
  /** Milliseconds from now. */
  delay: number
  /** The error of a deadline that has passed. */
  onTimeout(): Error
  /** Ends the work early, with its reason. */
  outer?: AbortSignal | undefined
}

/**
 * Runs `work` until it settles or its time is up. Its signal is aborted at the deadline and when
 * `outer` is, so that nothing goes on unseen; the result is then rejected with the deadline's error.
 */
export async function withDeadline<T>(
  { clock, delay, onTimeout, outer }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const end = () => ending.abort(outer?.reason)
  outer?.throwIfAborted()
  outer?.addEventListener('abort', end, { once: true })
  const expire = () => {
    const expired = onTimeout()
    ending.abort(expired)
    return expired
  }
  try {
    return await withTimeout(clock, delay, work(ending.signal), expire)
  } finally {
    outer?.removeEventListener('abort', end)
  }
}
