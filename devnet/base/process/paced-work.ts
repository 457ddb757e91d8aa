import type { Logger } from 'pino'
import { type Clock, sleep } from '#protocol/clock/clock'
import { Turns } from './turns.ts'

/** Has `look` called each time there may be something new. Returns how to end that. */
export type OnNews = (look: () => void) => () => void

/** Milliseconds between two looks of whoever is told of news: a line may be cut, or have been. */
export const LOOK_DESPITE_NEWS = 1_000

export interface PacedWorkOptions {
  work(): Promise<void>
  /** Milliseconds until the next time, asked after each. */
  delay(): number
  /** Ends the delay early. */
  news?: OnNews | undefined
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
  const { work, delay, news, clock, abort, complaint, logger } = options
  const turns = new Turns()
  const now = () => turns.take(work)

  // What happens while the work is done, it may have missed.
  let isNews = false
  let endPause = () => {}
  const forgetNews = news?.(() => {
    isNews = true
    endPause()
  })

  abort.signal.addEventListener('abort', () => endPause())

  async function pause(): Promise<void> {
    if (isNews || abort.signal.aborted) return
    const pausing = new AbortController()
    endPause = () => pausing.abort()
    await sleep(clock, delay(), pausing.signal).catch(() => {})
  }

  let isFailing = false
  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      isNews = false
      try {
        await now()
        isFailing = false
      } catch (error) {
        if (!abort.signal.aborted && !isFailing) logger?.warn(error, complaint)
        isFailing = true
      }
      await pause()
    }
  }
  const running = run().catch(() => {})

  return {
    now,
    async stop(reason) {
      forgetNews?.()
      abort.abort(reason)
      await running
      await turns.idle()
    },
  }
}
