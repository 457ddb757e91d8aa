import type { Clock, Timer } from '../../../../enclave-sim/protocol/clock/clock.ts'
import { JsonRpcError } from '../../../json-rpc/json-rpc-error.ts'
import type { OwnedResource } from '../../../process/owned-resource.ts'
import type { Job } from './call-jobs.ts'

/** A thread that works from its creation on; `stop` ends it whatever it does. */
export interface PoolThread extends OwnedResource {
  /** It can run jobs. */
  ready: Promise<void>
  /** It is no more, and why. Never rejects. */
  ended: Promise<Error>
  /** One at a time. */
  run(job: Job): Promise<unknown>
}

export interface WorkerPoolOptions {
  createThread(): PoolThread
  clock: Clock
  /** Threads. */
  size: number
  /** Jobs that may wait; more get -32005. */
  maxWaiting: number
}

interface Task {
  job: Job
  timeLimit: number
  resolve(result: unknown): void
  reject(error: unknown): void
  /** Ran longer than a slice once. */
  isLong: boolean
}

interface Seat {
  thread: PoolThread
  isReady: boolean
  task: Task | undefined
  timers: Timer[]
  since: number
  /** Its task has used up its slice. */
  isOverdue: boolean
}

/** Milliseconds after which a job counts as long. */
const SLICE = 200

/**
 * Shares few threads among jobs of which nobody knows how long they take. Short ones never wait for
 * long ones: long jobs may have all threads but one, and when they have that one too, the youngest
 * gives it up to a short job that comes, and starts again when its turn comes.
 */
export class WorkerPool implements OwnedResource {
  readonly #options: WorkerPoolOptions
  readonly #seats = new Set<Seat>()
  readonly #stopping = new Set<Promise<void>>()
  #waiting: Task[] = []
  #isStopped = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /**
   * @param timeLimit milliseconds the job may run, waiting aside
   * @throws JsonRpcError -32016 beyond the time limit, -32005 when too many wait; the signal's reason
   */
  run(job: Job, timeLimit: number, signal: AbortSignal): Promise<unknown> {
    const { maxWaiting } = this.#options
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.#isStopped) return Promise.reject(stopped())
    if (this.#waiting.length >= maxWaiting) {
      const data = `${maxWaiting} calls are waiting already.`
      return Promise.reject(new JsonRpcError(-32005, 'too many calls at once', data))
    }
    const work = new Promise((resolve, reject) => {
      const task: Task = { job, timeLimit, resolve, reject, isLong: false }
      const abandon = () => this.#abandon(task, signal.reason)
      signal.addEventListener('abort', abandon, { once: true })
      const forget = () => signal.removeEventListener('abort', abandon)
      task.resolve = (result) => {
        forget()
        resolve(result)
      }
      task.reject = (error) => {
        forget()
        reject(error)
      }
      this.#waiting.push(task)
    })
    this.#next()
    return work
  }

  /** Starts the first thread, so that the first job need not wait for it. */
  warm(): void {
    if (!this.#isStopped && this.#seats.size === 0) this.#open()
  }

  /** Ends all threads; what runs or waits is rejected. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const task of this.#waiting.splice(0)) task.reject(stopped())
    for (const seat of this.#seats) {
      seat.task?.reject(stopped())
      this.#close(seat)
    }
    await Promise.all(this.#stopping)
  }

  #next(): void {
    for (const seat of this.#seats) {
      if (!seat.isReady || seat.task) continue
      const task = this.#take()
      if (!task) break
      this.#start(seat, task)
    }
    const seats = [...this.#seats]
    const isUrgent = this.#waiting.some(({ isLong }) => !isLong) || seats.length === 0
    // A thread that starts is soon there for those who wait.
    if (this.#waiting.length === 0 || !isUrgent || seats.some(({ isReady }) => !isReady)) return
    if (seats.length < this.#options.size) this.#open()
    else if (seats.length > 1 && seats.every(({ isOverdue }) => isOverdue)) {
      this.#interrupt(seats.reduce((a, b) => (b.since > a.since ? b : a)))
    }
  }

  /** The job to run next: short ones first, in the order in which they came. */
  #take(): Task | undefined {
    const short = this.#waiting.findIndex(({ isLong }) => !isLong)
    if (short >= 0) return this.#waiting.splice(short, 1)[0]
    const running = [...this.#seats].filter(({ task }) => task).length
    const most = Math.max(1, this.#options.size - 1)
    return running < most ? this.#waiting.shift() : undefined
  }

  #start(seat: Seat, task: Task): void {
    const { clock } = this.#options
    const { timeLimit } = task
    seat.task = task
    seat.since = clock.now()
    seat.isOverdue = task.isLong
    seat.timers = [
      clock.after(SLICE, () => {
        seat.isOverdue = true
        this.#next()
      }),
      clock.after(timeLimit, () => {
        task.reject(timedOut(timeLimit))
        this.#replace(seat)
      }),
    ]
    seat.thread.run(task.job).then(
      (result) => this.#finish(seat, task, () => task.resolve(result)),
      (error) => this.#finish(seat, task, () => task.reject(error)),
    )
  }

  #finish(seat: Seat, task: Task, settle: () => void): void {
    if (seat.task !== task) return
    for (const timer of seat.timers) timer.cancel()
    seat.task = undefined
    seat.isOverdue = false
    settle()
    this.#next()
  }

  /** The caller left. What runs gets a slice to end by itself: starting a thread anew costs more. */
  #abandon(task: Task, reason: unknown): void {
    task.reject(reason)
    this.#waiting = this.#waiting.filter((other) => other !== task)
    const seat = [...this.#seats].find((other) => other.task === task)
    seat?.timers.push(this.#options.clock.after(SLICE, () => this.#replace(seat)))
  }

  #interrupt(seat: Seat): void {
    const { task } = seat
    if (task) {
      task.isLong = true
      this.#waiting.push(task)
    }
    this.#replace(seat)
  }

  /** Ends a thread in the middle of its job, and starts another in its place. */
  #replace(seat: Seat): void {
    this.#close(seat)
    if (!this.#isStopped) this.#open()
  }

  #open(): void {
    const { createThread } = this.#options
    const thread = createThread()
    const seat: Seat = {
      thread,
      isReady: false,
      task: undefined,
      timers: [],
      since: 0,
      isOverdue: false,
    }
    this.#seats.add(seat)
    void thread.ready.then(() => {
      seat.isReady = true
      this.#next()
    })
    void thread.ended.then((error) => this.#lose(seat, error))
  }

  /** A thread ended by itself: its job was too much for it, or it could not even start. */
  #lose(seat: Seat, error: Error): void {
    if (!this.#seats.has(seat)) return
    seat.task?.reject(error)
    this.#close(seat)
    if (!seat.isReady) for (const task of this.#waiting.splice(0)) task.reject(error)
    this.#next()
  }

  #close(seat: Seat): void {
    for (const timer of seat.timers) timer.cancel()
    seat.task = undefined
    this.#seats.delete(seat)
    const stopping = seat.thread.stop().finally(() => this.#stopping.delete(stopping))
    this.#stopping.add(stopping)
  }
}

function timedOut(limit: number): JsonRpcError {
  return new JsonRpcError(-32016, `execution aborted (timeout = ${limit / 1000}s)`)
}

function stopped(): JsonRpcError {
  return new JsonRpcError(-32603, 'The node is being stopped.')
}
