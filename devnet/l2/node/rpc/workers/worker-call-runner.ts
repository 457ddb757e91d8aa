import { availableParallelism } from 'node:os'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { Clock } from '#protocol/clock/clock'
import type { ChainAccess, JobKind, JobRequest, JobResult } from './call-jobs.ts'
import { CallThread } from './call-thread.ts'
import type { CallWorkers } from './call-workers.ts'
import { WorkerPool } from './worker-pool.ts'

export interface WorkerRunnerOptions extends ChainAccess {
  clock: Clock
  /** Threads; default 2, or 1 where there is one core only. */
  threads?: number
  /** Milliseconds a call, estimate or simulation may run before it is -32016; default 5,000. */
  timeLimit?: number
  /** Requests that may wait; more get -32005. Default 1,000. */
  maxWaiting?: number
}

export interface WorkerCallRunner extends CallWorkers, OwnedResource {
  /** Starts the thread that otherwise starts when first needed. */
  warm(): void
  /** The same threads for another chain of the same configuration. */
  on(chain: ChainAccess): CallWorkers
  /** Lets all threads die: what they run fails, and says so. */
  kill(): void
  /** From here on threads stand still when they get a job, until what it gives back is called. */
  hang(): () => void
}

/** Traces have a limit of their own, by their signal: none is longer. */
const TRACE_TIME_LIMIT = 60_000

/**
 * Runs calls, estimates, simulations and traces in worker threads, so that neither the flashblocks nor other
 * requests ever wait for one. No thread starts before there is something to run.
 *
 * @example
 * const runner = createWorkerCallRunner({ config, store, blockHash, clock: systemClock })
 * const { gas } = await runner.estimateGas(request, signal)
 * await runner.stop()
 */
export function createWorkerCallRunner(options: WorkerRunnerOptions): WorkerCallRunner {
  const { clock, timeLimit = 5_000, maxWaiting = 1_000 } = options
  const cores = availableParallelism()
  const size = options.threads ?? Math.min(2, cores)
  const hold = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let hangs = 0
  const holdWhileAsked = () => {
    Atomics.store(hold, 0, hangs > 0 ? 1 : 0)
    if (hangs === 0) Atomics.notify(hold, 0)
  }
  const createThread = (isAwaited: boolean) => new CallThread(options, { hold, isAwaited })
  const pool = new WorkerPool({ createThread, clock, size, maxWaiting })
  const on = (chain?: ChainAccess): CallWorkers => {
    const run =
      <K extends JobKind>(kind: K, limit = timeLimit) =>
      (request: JobRequest<K>, signal: AbortSignal) =>
        pool.run({ kind, request, chain }, limit, signal) as Promise<JobResult<K>>
    return {
      call: run('call'),
      estimateGas: run('estimateGas'),
      simulate: run('simulate'),
      traceBlock: run('traceBlock', TRACE_TIME_LIMIT),
      traceCall: run('traceCall', TRACE_TIME_LIMIT),
      accessList: run('accessList', TRACE_TIME_LIMIT),
      witness: run('witness', TRACE_TIME_LIMIT),
      ready: () => pool.ready(),
      standBy() {
        if (cores < 2) return false
        pool.warm()
        return pool.isIdle
      },
    }
  }
  return {
    ...on(),
    on,
    kill: () => pool.kill(),
    hang() {
      hangs += 1
      holdWhileAsked()
      return () => {
        hangs -= 1
        holdWhileAsked()
      }
    },
    warm: () => pool.warm(),
    stop: () => pool.stop(),
  }
}
