import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { CallOutcome, Executor } from '#protocol/execution/executor'
import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { CallRequest } from '../calls/call-request.ts'
import { estimateGas } from '../calls/estimate-gas.ts'
import { runCall, runCallAtHand } from '../calls/run-call.ts'
import { KeptStart } from '../simulate/kept-start.ts'
import { simulationText } from '../simulate/simulation-text.ts'
import type { WaitingCallRunner } from './call-runner.ts'

export interface InlineRunnerOptions {
  /** Its own: never the one that builds blocks. */
  executor: Executor
  store: StateStore
  blockHash(number: bigint): Promise<Hash | undefined>
  /** Gas that a call may use; more is BudgetSpent. */
  budget?: bigint
  /** Requests that may wait; more get -32005. */
  maxWaiting?: number
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
  const { maxWaiting = 1000 } = options
  const start = new KeptStart()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let underWay = 0

  const inTurn = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    if (waiting >= maxWaiting) {
      const data = `${waiting} calls are waiting already.`
      return Promise.reject(new JsonRpcError(-32005, 'too many calls at once', data))
    }
    waiting++
    underWay++
    const turn = last.then(() => {
      waiting--
      signal.throwIfAborted()
      return work()
    })
    const done = () => {
      underWay--
    }
    last = turn.then(done, done)
    return turn
  }
  return {
    callAtHand: (request) => (underWay === 0 ? runCallAtHand(options, request) : undefined),
    call: (request, signal) => inTurn(() => runCall(options, request), signal),
    estimateGas: (request, signal) => inTurn(() => estimateGas(options, request, signal), signal),
    simulate: (request, signal) =>
      inTurn(() => simulationText({ ...options, start }, request, signal), signal),
  }
}
