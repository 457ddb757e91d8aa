import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Clock } from '#protocol/clock/clock'
import { BudgetSpent } from '#protocol/execution/budget-spent'
import type { CallMessage, CallOutcome } from '#protocol/execution/executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { CallRequest } from '../calls/call-request.ts'
import type { SimulationRequest } from '../simulate/simulation.ts'
import type { CallRunner, WaitingCallRunner } from './call-runner.ts'
import { CallsHere, MOST_CALLS } from './calls-here.ts'
import { createInlineCallRunner, type InlineRunnerOptions } from './create-inline-call-runner.ts'
import { LongCalls } from './long-calls.ts'

export interface InlineFirstOptions extends InlineRunnerOptions {
  /** The worker threads that run what takes longer. */
  workers: WaitingCallRunner
  clock: Clock
}

/** Gas: about a millisecond of the slowest opcodes, which hash; most others take a tenth of it. */
const BUDGET = 200_000n
/**
 * Milliseconds of a simulation, whose calls may be many and short: looked at before each, so that the last
 * may take a millisecond more. A hundred transfers take one, but up to five before V8 has compiled what runs
 * them, or where others have the processor; begun here and again in a worker they would take two to three
 * times as much.
 */
const PATIENCE = 10
/** A simulation with more blocks goes to a worker: each is some 40 µs of work, whatever is in it. */
const MAX_BLOCKS = 64
/** A call with more bytes of calldata, or more entries in its access list, goes to a worker. */
const MAX_BYTES = 16_384
/** All calls of a simulation may have more together, as text. */
const MAX_SIMULATED_TEXT = 262_144
const MAX_ENTRIES = 32

/**
 * Runs calls, estimates and simulations where they came in, for as long as that takes a millisecond or few:
 * most are over by then, and a thread's way there and back would cost more than they. What needs longer
 * starts again in a worker, so that neither a flashblock nor another request ever waits for it.
 */
export function createInlineFirstRunner(options: InlineFirstOptions): CallRunner {
  const { workers } = options
  const patience = { clock: options.clock, milliseconds: PATIENCE }
  const inline = createInlineCallRunner({ ...options, budget: BUDGET, patience })
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
  const few = new CallsHere()
  const isFew = (request: SimulationRequest) =>
    isSmallSimulation(request) && few.has(callsOf(request))
  const simulateHere = async (request: SimulationRequest, signal: AbortSignal) => {
    try {
      return await inline.simulate(request, signal)
    } catch (error) {
      if (error instanceof BudgetSpent) few.tooLong(callsOf(request))
      throw error
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
    simulate: first(isFew, simulateHere, workers.simulate),
  }
}

/** Whether all that costs time without costing gas is little. */
function isSmallCall({ message, stateOverrides }: CallRequest): boolean {
  return isSmall(message) && stateOverrides.length === 0
}

/** Nobody has looked at it yet: what is no simulation at all is told so here. */
function isSmallSimulation({ payload }: SimulationRequest): boolean {
  const entries = listOf(payload, 'blockStateCalls')
  if (entries.length > MAX_BLOCKS) return false
  let text = 0
  for (const entry of entries) {
    if (member(entry, 'stateOverrides')) return false
    const calls = listOf(entry, 'calls')
    if (calls.length > MOST_CALLS || !calls.every(isSmallJson)) return false
    for (const call of calls) text += dataText(call)
  }
  return text <= MAX_SIMULATED_TEXT
}

function callsOf({ payload }: SimulationRequest): number {
  const entries = listOf(payload, 'blockStateCalls')
  return entries.reduce((sum: number, entry) => sum + listOf(entry, 'calls').length, 0)
}

/** What `isSmall` says of a call object that was not read yet. */
function isSmallJson(call: unknown): boolean {
  if (member(call, 'authorizationList')) return false
  if (dataText(call) > 2 + 2 * MAX_BYTES) return false
  let entries = 0
  for (const entry of listOf(call, 'accessList')) entries += 1 + listOf(entry, 'storageKeys').length
  return entries <= MAX_ENTRIES
}

/** How long the text of its calldata is, under whichever name. */
function dataText(call: unknown): number {
  const data = member(call, 'data')
  const input = member(call, 'input')
  return Math.max(lengthOf(data), lengthOf(input))
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name)
  return Array.isArray(list) ? list : []
}

function isSmall(message: CallMessage): boolean {
  const { data, accessList, authorizationList } = message
  if (data.length > MAX_BYTES || authorizationList?.length) return false
  const keys = accessList?.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0) ?? 0
  return keys <= MAX_ENTRIES
}
