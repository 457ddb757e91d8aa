/**
 * The only source of time. Every component takes one; nothing else in the project reads the wall
 * clock or arms a timer, so a test can step all of it by hand (see VirtualClock).
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, whole ones. */
  now(): number
  /** Runs `action` once, `delay` milliseconds from now. */
  after(delay: number, action: () => void): Timer
}

export interface Timer {
  /** Idempotent; an action that has begun is not interrupted. */
  cancel(): void
}

/**
 * Resolves `delay` milliseconds from now; rejects with the signal's reason when it is aborted.
 * @example
 * await sleep(clock, 500, signal)
 */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = clock.after(delay, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * Settles as `work` does, or rejects with `onTimeout()` after `delay` milliseconds.
 * @example
 * await withTimeout(clock, 5_000, server.listen(), () => new Error('it did not listen'))
 */
export function withTimeout<T>(
  clock: Clock,
  delay: number,
  work: Promise<T>,
  onTimeout: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(delay, () => reject(onTimeout()))
    work.then(resolve, reject).finally(() => timer.cancel())
  })
}
