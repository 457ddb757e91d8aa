import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { CallMessage, CallOutcome } from '#protocol/execution/executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { CallObject } from '../calls/call-object.ts'
import type { CallRequest } from '../calls/call-request.ts'
import type { SimulationRequest } from '../simulate/simulation.ts'
import type { CallRunner, WaitingCallRunner } from './call-runner.ts'
import { createInlineCallRunner, type InlineRunnerOptions } from './create-inline-call-runner.ts'
import { LongCalls } from './long-calls.ts'

export interface InlineFirstOptions extends InlineRunnerOptions {
  /** The worker threads that run what takes longer. */
  workers: WaitingCallRunner
}

/** Gas: about a millisecond of the slowest opcodes, which hash; most others take a tenth of it. */
const BUDGET = 200_000n
/** A simulation with more calls or blocks goes to a worker: each is some work, whatever it does. */
const MAX_CALLS = 24
const MAX_BLOCKS = 10
/** A call with more bytes of calldata, or more entries in its access list, goes to a worker. */
const MAX_BYTES = 16_384
const MAX_ENTRIES = 32

/**
 * Runs calls, estimates and simulations where they came in, for as long as that takes about a
 * millisecond: most are over by then, and a thread's way there and back would cost more than they. What needs longer starts
 * again in a worker, so that neither a flashblock nor another request ever waits for it.
 */
export function createInlineFirstRunner(options: InlineFirstOptions): CallRunner {
  const { workers } = options
  const inline = createInlineCallRunner({ ...options, budget: BUDGET })
  const first =
    <R, T>(
      isSmall: (request: R) => boolean,
      here: (request: R, signal: AbortSignal) => Promise<T>,
      there: (request: R, signal: AbortSignal) => Promise<T>,
    ) =>
    async (request: R, signal: AbortSignal): Promise<T> => {
      // What is read of another chain may take long, and all calls run here one after the other.
      if (!isSmall(request) || options.store.isFork) return await there(request, signal)
      try {
        return await here(request, signal)
      } catch (error) {
        if (error instanceof TransactionInvalid || error instanceof JsonRpcError) throw error
        signal.throwIfAborted()
        // Its budget is spent; or it failed in a way that may only kill a worker.
        return await there(request, signal)
      }
    }
  const long = new LongCalls()
  const callThere = async (request: CallRequest, signal: AbortSignal) => {
    const outcome = await workers.call(request, signal)
    long.note(request, outcome.gasUsed > BUDGET)
    return outcome
  }
  const callHere = first<CallRequest, CallOutcome>(() => true, inline.call, callThere)
  return {
    call(request, signal) {
      // What took long the last time need not be begun here.
      if (!isSmallCall(request) || long.has(request)) return callThere(request, signal)
      try {
        return inline.callAtHand(request) ?? callHere(request, signal)
      } catch (error) {
        if (error instanceof TransactionInvalid) throw error
        return callThere(request, signal)
      }
    },
    estimateGas: first(isSmallCall, inline.estimateGas, workers.estimateGas),
    simulate: first(isSmallSimulation, inline.simulate, workers.simulate),
  }
}

/** Whether all that costs time without costing gas is little. */
function isSmallCall({ message, stateOverrides }: CallRequest): boolean {
  return isSmall(message) && stateOverrides.length === 0
}

function isSmallSimulation({ blocks }: SimulationRequest): boolean {
  const calls = blocks.flatMap((block) => block.calls)
  if (blocks.length > MAX_BLOCKS || calls.length > MAX_CALLS) return false
  return calls.every(isSmall) && blocks.every(({ stateOverrides }) => stateOverrides.length === 0)
}

function isSmall(message: CallObject | CallMessage): boolean {
  const { data, accessList, authorizationList } = message
  if (data.length > MAX_BYTES || authorizationList?.length) return false
  const keys = accessList?.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0) ?? 0
  return keys <= MAX_ENTRIES
}
