import { TransactionInvalid } from '../../../../enclave-sim/protocol/execution/transaction-invalid.ts'
import { JsonRpcError } from '../../../json-rpc/json-rpc-error.ts'
import type { CallRequest, CallRunner } from './call-runner.ts'
import { createInlineCallRunner, type InlineRunnerOptions } from './create-inline-call-runner.ts'

export interface InlineFirstOptions extends InlineRunnerOptions {
  /** Where goes what needs longer. */
  workers: CallRunner
}

/** About a millisecond of the slowest opcodes, which hash; ten times less of most others. */
const BUDGET = 200_000n
/** Bytes of calldata, and entries of an access list, that are no work to speak of. */
const MAX_BYTES = 16_384
const MAX_ENTRIES = 32

/**
 * Runs calls and estimates where they came in, for as long as that takes about a millisecond: most are
 * over by then, and a thread's way there and back would cost more than they. What needs longer starts
 * again in a worker, so that neither a flashblock nor another request ever waits for it.
 */
export function createInlineFirstRunner(options: InlineFirstOptions): CallRunner {
  const { workers } = options
  const inline = createInlineCallRunner({ ...options, budget: BUDGET })
  const first =
    <T>(
      here: (request: CallRequest, signal: AbortSignal) => Promise<T>,
      there: (request: CallRequest, signal: AbortSignal) => Promise<T>,
    ) =>
    async (request: CallRequest, signal: AbortSignal): Promise<T> => {
      if (!isSmall(request)) return await there(request, signal)
      try {
        return await here(request, signal)
      } catch (error) {
        if (error instanceof TransactionInvalid || error instanceof JsonRpcError) throw error
        signal.throwIfAborted()
        // Its budget is spent; or it failed in a way that may only kill a worker.
        return await there(request, signal)
      }
    }
  return {
    call: first(inline.call, workers.call),
    estimateGas: first(inline.estimateGas, workers.estimateGas),
    simulate: workers.simulate,
  }
}

/** Whether all that costs time without costing gas is little. */
function isSmall({ message, stateOverrides }: CallRequest): boolean {
  const { data, accessList = [], authorizationList = [] } = message
  if (data.length > MAX_BYTES || authorizationList.length > 0) return false
  const keys = accessList.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0)
  return keys <= MAX_ENTRIES && stateOverrides.length === 0
}
