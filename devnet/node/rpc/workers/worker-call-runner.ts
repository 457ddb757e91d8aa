import { availableParallelism } from 'node:os'
import type { Clock } from '../../../../enclave-sim/clock/clock.ts'
import type { OwnedResource } from '../../../process/owned-resource.ts'
import type { CallRunner } from '../calls/call-runner.ts'
import type { JobKind, JobRequest, JobResult } from './call-jobs.ts'
import { CallThread, type ChainAccess } from './call-thread.ts'
import { WorkerPool } from './worker-pool.ts'

export interface WorkerRunnerOptions extends ChainAccess {
  clock: Clock
  /** Threads; default 2, or 1 where there is one core only. */
  threads?: number
  /** Milliseconds a request may run before it is -32016; default 5,000. */
  timeLimit?: number
  /** Requests that may wait; more get -32005. Default 1,000. */
  maxWaiting?: number
}

export interface WorkerCallRunner extends CallRunner, OwnedResource {
  /** Starts the threads that otherwise start when first needed. */
  warm(): void
}

/**
 * Runs calls, estimates and simulations in worker threads, so that neither the flashblocks nor other
 * requests ever wait for one. No thread starts before there is something to run.
 *
 * @example
 * const runner = createWorkerCallRunner({ config, store, blockHash, clock: systemClock })
 * const { gas } = await runner.estimateGas(request, signal)
 * await runner.stop()
 */
export function createWorkerCallRunner(options: WorkerRunnerOptions): WorkerCallRunner {
  const { clock, timeLimit = 5_000, maxWaiting = 1_000 } = options
  const size = options.threads ?? Math.min(2, availableParallelism())
  const createThread = () => new CallThread(options)
  const pool = new WorkerPool({ createThread, clock, size, timeLimit, maxWaiting })
  const run =
    <K extends JobKind>(kind: K) =>
    (request: JobRequest<K>, signal: AbortSignal) =>
      pool.run({ kind, request }, signal) as Promise<JobResult<K>>
  return {
    call: run('call'),
    estimateGas: run('estimateGas'),
    simulate: run('simulate'),
    warm: () => pool.warm(),
    stop: () => pool.stop(),
  }
}
