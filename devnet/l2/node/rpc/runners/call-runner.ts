import type { CallOutcome } from '#protocol/execution/executor'
import type { CallRequest, GasEstimate } from '../calls/call-request.ts'
import type { SimulationRequest } from '../simulate/simulation.ts'

/**
 * Runs what may take long: calls, estimates and simulations. Requests and answers are plain data, so
 * that a runner may work in another thread.
 *
 * Rejects with TransactionInvalid or JsonRpcError; with the signal's reason once it is aborted.
 */
export interface CallRunner {
  /** At once, where it can; then it throws what it would reject with. */
  call(request: CallRequest, signal: AbortSignal): CallOutcome | Promise<CallOutcome>
  /** The least gas with which the message succeeds, as geth searches it. */
  estimateGas(request: CallRequest, signal: AbortSignal): Promise<GasEstimate>
  /** The blocks as JSON text. */
  simulate(request: SimulationRequest, signal: AbortSignal): Promise<string>
}

/** One that never answers at once. */
export interface WaitingCallRunner extends CallRunner {
  call(request: CallRequest, signal: AbortSignal): Promise<CallOutcome>
}

/** One whose work keeps nobody in this thread waiting. */
export interface BesideCallRunner extends WaitingCallRunner {
  /**
   * Whether what is asked of it now would begin at once, on a core of its own. Where there is one and nobody is
   * ready yet, somebody soon is.
   */
  standBy(): boolean
}
