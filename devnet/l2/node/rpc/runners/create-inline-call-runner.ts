import type { CallOutcome, Executor } from '#protocol/execution/executor'
import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { CallRequest } from '../calls/call-request.ts'
import { estimateGas } from '../calls/estimate-gas.ts'
import { runCall, runCallAtHand } from '../calls/run-call.ts'
import { KeptStart } from '../simulate/kept-start.ts'
import { SimulatedBlockWriter } from '../simulate/simulated-block-writer.ts'
import type { PaceLimits } from '../simulate/simulation-pace.ts'
import { simulationText } from '../simulate/simulation-text.ts'
import type { WaitingCallRunner } from './call-runner.ts'
import { InlineTurns } from './inline-turns.ts'

export interface InlineRunnerOptions {
  /** Its own: never the one that builds blocks. */
  executor: Executor
  store: StateStore
  blockHash(number: bigint): Promise<Hash | undefined>
  /** Gas that a call may use; more is BudgetSpent. */
  budget?: bigint
  /** How far a simulation may go; more is BudgetSpent. */
  paceLimits?: PaceLimits
  /** Requests that may wait; more get -32005. */
  maxWaiting?: number
  /** Of all that runs on the executor; default: this runner's own. */
  turns?: InlineTurns
}

export interface InlineCallRunner extends WaitingCallRunner {
  /**
   * The outcome of a call at once; undefined: it has to wait for something.
   * @throws TransactionInvalid, BudgetSpent
   */
  callAtHand(request: CallRequest): CallOutcome | undefined
}

/** Runs one request after the other on one executor in this thread. */
export function createInlineCallRunner(options: InlineRunnerOptions): InlineCallRunner {
  const { maxWaiting, turns = new InlineTurns(maxWaiting) } = options
  const kept = { start: new KeptStart(), writer: new SimulatedBlockWriter() }
  return {
    callAtHand: (request) => (turns.isFree ? runCallAtHand(options, request) : undefined),
    call: (request, signal) => turns.take(() => runCall(options, request), signal),
    estimateGas: (request, signal) =>
      turns.take(() => estimateGas(options, request, signal), signal),
    simulate: (request, signal) =>
      turns.take(() => simulationText({ ...options, ...kept }, request, signal), signal),
  }
}
