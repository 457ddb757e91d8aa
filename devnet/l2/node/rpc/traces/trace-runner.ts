import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { AccessListEntry } from '#protocol/types/transaction'
import type { CallRequest } from '../calls/call-request.ts'
import type { ShownChain } from '../shown-chain.ts'
import type { ExecutionWitness } from './execution-witness.ts'
import type { Replay } from './replay.ts'
import type { TraceOptions } from './trace-options.ts'

export interface BlockTraceRequest extends Replay {
  options: TraceOptions
  /** Only this transaction, instead of all. */
  index?: number
}

export interface CallTraceRequest extends CallRequest {
  options: TraceOptions
}

export interface AccessListOutcome {
  accessList: AccessListEntry[]
  /** With the access list. */
  gasUsed: bigint
  /** Why the call failed, if it did. */
  error?: string
}

export interface WitnessRequest extends Replay {
  config: ExecutionConfig
}

/** A witness, and the oldest ancestor whose hash the block has asked for. */
export interface WitnessOutcome {
  witness: Omit<ExecutionWitness, 'headers'>
  oldestAncestor: bigint
}

/**
 * Executes again what has been executed, and listens. Requests and answers are plain data, so that a
 * runner may work in another thread.
 *
 * Rejects with TransactionInvalid or JsonRpcError; with the signal's reason once it is aborted.
 */
export interface TraceRunner {
  /** Resolves when it can begin at once: the time limit of a trace does not count what comes before. */
  ready(): Promise<void>
  /** What the tracer says of each transaction asked for, in order. */
  traceBlock(request: BlockTraceRequest, signal: AbortSignal): Promise<unknown[]>
  traceCall(request: CallTraceRequest, signal: AbortSignal): Promise<unknown>
  accessList(request: CallRequest, signal: AbortSignal): Promise<AccessListOutcome>
  /** Transactions that may not stand in the block are left out. */
  witness(request: WitnessRequest, signal: AbortSignal): Promise<WitnessOutcome>
}

/** A chain whose transactions can be traced. */
export interface TracedChain extends ShownChain {
  tracer: TraceRunner
}
