import type { Hash } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { Job } from './call-jobs.ts'
import type { Failure } from './failure.ts'

/** What a worker is started with. */
export interface WorkerSetup {
  config: ExecutionConfig
  isFork: boolean
  /** While its one number is not 0, a thread that gets a job stands still. */
  hold: Int32Array
  /** No other thread can run jobs: it gives way to flashblocks once it is loaded, and not before. */
  isAwaited: boolean
}

/** What a worker has to ask the thread that holds the chain. */
export type Question = { value: Hash } | { blockHash: bigint }
export type Answer = Uint8Array | Hash | undefined

export type ToWorker =
  | { type: 'run'; job: Job }
  | { type: 'answer'; id: number; answer: Answer }
  /** The question cannot be answered. */
  | { type: 'refuse'; id: number; failure: Failure }

export type FromWorker =
  | { type: 'ready' }
  | { type: 'ask'; id: number; question: Question }
  | { type: 'done'; result: unknown }
  | { type: 'failed'; failure: Failure }
