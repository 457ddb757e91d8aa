import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { Clock, Timer } from '#protocol/clock/clock'
import type { Job } from './call-jobs.ts'
import { threadDied } from './thread-died.ts'

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
  /** @param isAwaited there is no other that can run jobs */
  createThread(isAwaited: boolean): PoolThread
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
  /** Who asked: all calls of one connection have the same signal. */
  caller: AbortSignal
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
/** Milliseconds after which a thread without a job ends, for it holds some 40 MB; the last one later, whose start somebody would wait for. */
const IDLE = 60_000
const LAST_IDLE = 600_000
/** Milliseconds in which half of what a caller used is forgotten. */
const HALF_LIFE = 10_000

/**
 * Shares few threads among jobs of which nobody knows how long they take. Short ones never wait for
 * long ones: long jobs may have all threads but one, and when they have that one too, the youngest
 * gives it up to a short job that comes, and starts again when its turn comes. A thread that has nothing to
 * do for long ends.
 */
export class WorkerPool implements OwnedResource {
  readonly #options: WorkerPoolOptions
  readonly #seats = new Set<Seat>()
  readonly #stopping = new Set<Promise<void>>()
  #waiting: Task[] = []
  /** When each caller had its last turn. */
  readonly #turns = new WeakMap<AbortSignal, number>()
  #turn = 0
  readonly #used = new WeakMap<AbortSignal, { used: number; at: number }>()
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
    if (this.#waiting.length >= maxWaiting && !this.#makeRoomFor(signal))
      return Promise.reject(tooMany(maxWaiting))
    const work = new Promise((resolve, reject) => {
      const task: Task = { job, timeLimit, resolve, reject, caller: signal, isLong: false }
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

  /** Whether a thread is there that would begin the next job at once. */
  get isIdle(): boolean {
    return [...this.#seats].some(({ isReady, task }) => isReady && !task)
  }

  /** Starts the first thread, so that the first job need not wait for it. */
  warm(): void {
    if (!this.#isStopped && this.#seats.size === 0) this.#open()
  }

  /** Resolves when a thread can run jobs: what it takes to start one is no caller's time. */
  async ready(): Promise<void> {
    this.warm()
    const seats = [...this.#seats]
    // A thread may live for days: nothing is hung on one that is there.
    if (seats.length === 0 || seats.some(({ isReady }) => isReady)) return
    await Promise.race(seats.flatMap(({ thread }) => [thread.ready, thread.ended]))
  }

  /** Ends all threads as if each had died by itself: what they run fails, what comes gets new ones. */
  kill(): void {
    for (const seat of [...this.#seats]) this.#lose(seat, threadDied('it was ended'))
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
    else {
      const victim = this.#victim()
      if (victim) this.#interrupt(victim)
    }
  }

  /**
   * The job to run next: of the caller that used least, so that many calls of one do not keep another's
   * from running; of one caller the short ones first, in the order in which they came.
   */
  #take(): Task | undefined {
    const running = [...this.#seats].filter(({ task }) => task).length
    const mayBeLong = running < Math.max(1, this.#options.size - 1)
    const short = this.#waiting.filter(({ isLong }) => !isLong)
    const least = Math.min(...short.map(({ caller }) => this.#usedBy(caller)))
    // Once cut short and still modest: not to be passed by the many short calls of a greedy one.
    const candidates = this.#waiting.filter(
      ({ isLong, caller }) =>
        !isLong || mayBeLong || (short.length > 0 && this.#usedBy(caller) < least),
    )
    const next = candidates.sort((one, other) => this.#compare(one, other))[0]
    if (!next) return undefined
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#turn += 1
    this.#turns.set(next.caller, this.#turn)
    return next
  }

  /** Below zero: one comes before the other. Sorting keeps the order of equals. */
  #compare(one: Task, other: Task): number {
    return (
      this.#usedBy(one.caller) - this.#usedBy(other.caller) ||
      Number(one.isLong) - Number(other.isLong) ||
      (this.#turns.get(one.caller) ?? 0) - (this.#turns.get(other.caller) ?? 0)
    )
  }

  /** Milliseconds that a caller had of the threads; half of it is forgotten in `HALF_LIFE`. */
  #usedBy(caller: AbortSignal): number {
    const { used, at } = this.#used.get(caller) ?? { used: 0, at: 0 }
    return Math.round(used * 0.5 ** ((this.#options.clock.now() - at) / HALF_LIFE))
  }

  #countUse(seat: Seat): void {
    if (!seat.task) return
    const { caller } = seat.task
    const now = this.#options.clock.now()
    this.#used.set(caller, { used: this.#usedBy(caller) + now - seat.since, at: now })
    seat.since = now
  }

  /** Who makes way for a short job that waits: not for a job of somebody who used more. */
  #victim(): Seat | undefined {
    const seats = [...this.#seats]
    if (seats.length < 2 || !seats.every(({ isOverdue }) => isOverdue)) return undefined
    const usedIn = ({ task, since }: Seat) =>
      task ? this.#usedBy(task.caller) + this.#options.clock.now() - since : 0
    const victim = seats.reduce((a, b) => (b.since > a.since ? b : a))
    const isFair = this.#waiting.some(
      ({ isLong, caller }) => !isLong && this.#usedBy(caller) <= usedIn(victim),
    )
    return isFair ? victim : undefined
  }

  /** Refuses the newest job of who has most waiting, unless that is who asks. */
  #makeRoomFor(caller: AbortSignal): boolean {
    const counts = new Map<AbortSignal, number>()
    for (const task of this.#waiting) counts.set(task.caller, (counts.get(task.caller) ?? 0) + 1)
    const [greediest, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
    if (most <= (counts.get(caller) ?? 0) + 1) return false
    const victim = this.#waiting.findLast((task) => task.caller === greediest)!
    this.#waiting.splice(this.#waiting.indexOf(victim), 1)
    victim.reject(tooMany(this.#options.maxWaiting))
    return true
  }

  #start(seat: Seat, task: Task): void {
    const { clock } = this.#options
    const { timeLimit } = task
    for (const timer of seat.timers) timer.cancel()
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
    this.#countUse(seat)
    seat.task = undefined
    seat.isOverdue = false
    this.#rest(seat)
    settle()
    this.#next()
  }

  /** Nothing is to be done there for now. */
  #rest(seat: Seat): void {
    const { clock } = this.#options
    seat.timers = [
      clock.after(IDLE, () => {
        if (this.#seats.size > 1) this.#close(seat)
      }),
      clock.after(LAST_IDLE, () => this.#close(seat)),
    ]
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
    // Nobody waits for that of a caller who left.
    if (task && !task.caller.aborted) {
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
    const thread = createThread(![...this.#seats].some(({ isReady }) => isReady))
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
      if (!this.#seats.has(seat)) return
      seat.isReady = true
      this.#rest(seat)
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
    this.#countUse(seat)
    seat.task = undefined
    this.#seats.delete(seat)
    const stopping = seat.thread.stop().finally(() => this.#stopping.delete(stopping))
    this.#stopping.add(stopping)
  }
}

function tooMany(limit: number): JsonRpcError {
  const data = `${limit} calls are waiting already.`
  return new JsonRpcError(-32005, 'too many calls at once', data)
}

function timedOut(limit: number): JsonRpcError {
  return new JsonRpcError(-32016, `execution aborted (timeout = ${limit / 1000}s)`)
}

function stopped(): JsonRpcError {
  return new JsonRpcError(-32603, 'The node is being stopped.')
}
