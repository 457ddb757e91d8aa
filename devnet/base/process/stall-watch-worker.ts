import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '#protocol/clock/system-clock'
import type { LogFormat } from '../create-logger.ts'
import { logSentence } from '../log-sentence.ts'

/** What the thread that watches is told. */
export interface StallWatchSetup {
  /** Grows with each beat of the thread that is watched. */
  beats: Int32Array
  /** Milliseconds. */
  interval: number
  /** Intervals without a beat that are a stall. */
  limit: number
  /** Of the line that goes to standard error; undefined: none does. */
  logFormat: LogFormat | undefined
}

/** A stall has begun, or is over after so many milliseconds. */
export type StallNews = { began: true } | { lasted: number }

const { beats, interval, limit, logFormat } = workerData as StallWatchSetup
/** As the devnet's own log, which cannot be written by a thread that stands still. */
const WARNING = 40

let last = Atomics.load(beats, 0)
let silent = 0

function look(): void {
  systemClock.after(interval, look)
  const now = Atomics.load(beats, 0)
  if (now === last) {
    silent += 1
    if (silent === limit)
      tell({ began: true }, `stands still for ${seconds()} s: nothing is answered.`)
    return
  }
  if (silent >= limit) tell({ lasted: silent * interval }, `goes on after ${seconds()} s.`)
  last = now
  silent = 0
}

const seconds = () => ((silent * interval) / 1000).toFixed(1)

/** First the log: who has the news may end this thread. */
function tell(news: StallNews, words: string): void {
  if (logFormat) log(`event loop: it ${words}`)
  parentPort!.postMessage(news)
}

function log(msg: string): void {
  const line = { level: WARNING, time: systemClock.now(), msg }
  writeSync(2, `${logFormat === 'text' ? logSentence(line) : JSON.stringify(line)}\n`)
}

// Looks are counted, not time: a machine that stalls as a whole is no news.
look()
