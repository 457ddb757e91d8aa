import type { Logger } from 'pino'
import { type Clock, sleep } from '../../enclave-sim/protocol/clock/clock.ts'

export interface PacedWorkOptions {
  work(): Promise<void>
  /** Milliseconds until the next time, asked after each. */
  delay(): number
  clock: Clock
  /** What `work` gives up on; stays with who made it. */
  abort: AbortController
  /** Told once when `work` begins to fail, with its error. */
  complaint: string
  logger: Logger | undefined
}

export interface PacedWork {
  /** Does the work now, after what was begun before. Rejects with what it fails with. */
  now(): Promise<void>
  /** Resolves when nothing runs any more. */
  stop(reason: Error): Promise<void>
}

/** Does a piece of work again and again, never twice at once, whatever it fails with. */
export function pacedWork(options: PacedWorkOptions): PacedWork {
  const { work, delay, clock, abort, complaint, logger } = options
  let queue: Promise<unknown> = Promise.resolve()
  const now = () => {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  let isFailing = false
  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      try {
        await now()
        isFailing = false
      } catch (error) {
        if (!abort.signal.aborted && !isFailing) logger?.warn(error, complaint)
        isFailing = true
      }
      await sleep(clock, delay(), abort.signal)
    }
  }
  const running = run().catch(() => {})

  return {
    now,
    async stop(reason) {
      abort.abort(reason)
      await running
      await queue
    },
  }
}
