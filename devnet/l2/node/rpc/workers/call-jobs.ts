import type { Hash } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { StateSource } from '#protocol/types/state'
import type { CallRequest } from '../calls/call-request.ts'
import { estimateGas } from '../calls/estimate-gas.ts'
import { type CallContext, runCall } from '../calls/run-call.ts'
import { simulationText } from '../simulate/simulation-text.ts'
import { TRACE_JOBS } from '../traces/trace-jobs.ts'

/**
 * What a worker thread can do, by name. A job takes a request and gives a result of plain data, both
 * of which travel between threads (structured clone). It reads state through the context only.
 */
export const CALL_JOBS = {
  call: (context: CallContext, request: CallRequest) => runCall(context, request),
  estimateGas,
  simulate: simulationText,
  ...TRACE_JOBS,
}

export type CallJobs = typeof CALL_JOBS
export type JobKind = keyof CallJobs
export type JobRequest<K extends JobKind> = Parameters<CallJobs[K]>[1]
export type JobResult<K extends JobKind> = Awaited<ReturnType<CallJobs[K]>>

export interface Job<K extends JobKind = JobKind> {
  kind: K
  request: JobRequest<K>
  /** Whose state it reads; default: that of the chain for which the threads were made. */
  chain?: ChainAccess | undefined
}

/** What a thread may ask of a chain. */
export interface ChainAccess {
  config: ExecutionConfig
  store: StateSource
  blockHash(number: bigint): Promise<Hash | undefined>
}
