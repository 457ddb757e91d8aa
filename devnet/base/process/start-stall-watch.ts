import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '#protocol/clock/clock'
import type { LogFormat } from '../create-logger.ts'
import type { OwnedResource } from './owned-resource.ts'
import type { StallNews, StallWatchSetup } from './stall-watch-worker.ts'
import type { Supervisor } from './supervisor.ts'

export interface StallWatchOptions {
  supervisor: Pick<Supervisor, 'warn'>
  /** The machine's. */
  clock: Clock
  /** In which format a stall is a line on standard error; undefined: in none. */
  logFormat: LogFormat | undefined
  /** Milliseconds between two beats; four of them missed are a stall. Default 250. */
  interval?: number
}

/** Beats missed. */
const LIMIT = 4
/** Milliseconds for which a stall that is over stands among the warnings. */
const WARNED_FOR = 60_000

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./stall-watch-worker.ts', import.meta.url)
const ENTRY = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

/**
 * Tells when this process's event loop stands still for more than a second, from a thread that does not:
 * the log has it while the stall lasts, and the supervisor's warnings for a minute once it is over.
 * @example
 * const watch = startStallWatch({ supervisor, clock: machine, logFormat: 'text' })
 * await watch.stop()
 */
export function startStallWatch(options: StallWatchOptions): OwnedResource {
  const { supervisor, clock, logFormat, interval = 250 } = options
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const setup: StallWatchSetup = { beats, interval, limit: LIMIT, logFormat }
  const thread = new Worker(ENTRY, { workerData: setup, execArgv: [] })
  let beating: Timer
  let forgetting: Timer | undefined
  const beat = () => {
    Atomics.add(beats, 0, 1)
    beating = clock.after(interval, beat)
  }
  beat()
  thread.on('error', () => {})
  thread.on('message', (news: StallNews) => {
    if (!('lasted' in news)) return
    supervisor.warn('event loop', undefined)
    supervisor.warn('event loop', `it stood still for ${(news.lasted / 1000).toFixed(1)} s.`)
    forgetting?.cancel()
    forgetting = clock.after(WARNED_FOR, () => supervisor.warn('event loop', undefined))
  })
  thread.unref()
  return {
    async stop() {
      beating.cancel()
      forgetting?.cancel()
      await thread.terminate()
    },
  }
}
