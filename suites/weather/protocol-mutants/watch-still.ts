import { writeSync } from 'node:fs'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { systemClock } from '#protocol/clock/system-clock'

/** What a process says on standard error before it ends itself. */
export const STILL = 'The world stands still.'
/** Seconds of CPU from one word to the next; the longest runs take some five. */
const MOST = 40
/** Milliseconds between two looks. */
const PACE = 500

/**
 * Ends this process where it works on and on and says no word: a world that stands still keeps its thread busy, so
 * another thread looks. Counted is its own CPU time, so that a busy machine ends nobody.
 * @returns to be called with each word
 */
export function watchStill(): () => void {
  const worker = new Worker(new URL(import.meta.url))
  worker.unref()
  return () => worker.postMessage('a word')
}

if (!isMainThread) {
  const used = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  let since = used()
  parentPort?.on('message', () => {
    since = used()
  })
  const look = () => {
    systemClock.after(PACE, look)
    if (used() - since < MOST) return
    writeSync(2, `${STILL}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  look()
}
