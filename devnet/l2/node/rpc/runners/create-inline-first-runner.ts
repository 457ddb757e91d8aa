import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { CallMessage, CallOutcome } from '#protocol/execution/executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { CallRequest } from '../calls/call-request.ts'
import type { SimulationRequest } from '../simulate/simulation.ts'
import type { PaceLimits } from '../simulate/simulation-pace.ts'
import type { BesideCallRunner, CallRunner } from './call-runner.ts'
import { createInlineCallRunner, type InlineRunnerOptions } from './create-inline-call-runner.ts'
import { LongCalls } from './long-calls.ts'

export interface InlineFirstOptions extends InlineRunnerOptions {
  /** The worker threads that run what takes longer. */
  workers: BesideCallRunner
  /** For simulations alone, which let others have their turn: calls run in the midst of them. */
  simulator: Pick<InlineRunnerOptions, 'executor'> & Required<Pick<InlineRunnerOptions, 'turns'>>
}

/** Gas: about a millisecond of the slowest opcodes, which hash; most others take a tenth of it. */
const BUDGET = 200_000n
/**
 * Of a simulation, whose calls may be many and short: a hundred milliseconds of the slowest opcodes and some fifteen
 * of what calls do, a twentieth of it at once. A thousand transfers of a token, which are ten milliseconds, use 13
 * million.
 */
const SIMULATION: PaceLimits = { each: BUDGET, all: 20_000_000n, atOnce: 1_000_000 }
/** A simulation with more calls goes to a worker: each is some 10 µs of work, twice as much where it is shown in full. */
const MAX_CALLS = 1_000
const MAX_FULL_CALLS = 128
/** A call with more bytes of calldata, or more entries in its access list, goes to a worker. */
const MAX_BYTES = 16_384
/**
 * A simulation of so many calls and blocks goes to a worker that has nothing to do while another runs here: side by
 * side, both are answered sooner. A thread's way there and back costs as much as some ten calls.
 */
const WORTH_A_THREAD = 32
/** All calls of a simulation may have more together, as text. */
const MAX_SIMULATED_TEXT = 262_144
const MAX_ENTRIES = 32

/**
 * Runs calls and estimates where they came in, for as long as that takes a millisecond or few, and simulations for
 * some milliseconds of which each few are a turn: most are over by then, and a thread's way there and back would
 * cost more than they. What needs longer starts again in a worker, so that neither a flashblock nor another request
 * ever waits for it. How long is told by gas: on a busy machine all takes long, here and there.
 */
export function createInlineFirstRunner(options: InlineFirstOptions): CallRunner {
  const { workers, simulator } = options
  const inline = createInlineCallRunner({ ...options, budget: BUDGET })
  const simulations = createInlineCallRunner({ ...options, ...simulator, paceLimits: SIMULATION })
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
  const simulateHere = first(isSmallSimulation, simulations.simulate, workers.simulate)
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
    simulate(request, signal) {
      const isBeside = !simulator.turns.isFree && isWorthAThread(request) && workers.standBy()
      return isBeside ? workers.simulate(request, signal) : simulateHere(request, signal)
    },
  }
}

/** Whether all that costs time without costing gas is little. */
function isSmallCall({ message, stateOverrides }: CallRequest): boolean {
  return isSmall(message) && stateOverrides.length === 0
}

/** Nobody has looked at it yet: what is no simulation at all is told so here. */
function isSmallSimulation({ payload }: SimulationRequest): boolean {
  const most = member(payload, 'returnFullTransactions') ? MAX_FULL_CALLS : MAX_CALLS
  let [all, text] = [0, 0]
  for (const entry of listOf(payload, 'blockStateCalls')) {
    if (member(entry, 'stateOverrides')) return false
    const calls = listOf(entry, 'calls')
    all += calls.length
    if (all > most || !calls.every(isSmallJson)) return false
    for (const call of calls) text += dataText(call)
  }
  return text <= MAX_SIMULATED_TEXT
}

function isWorthAThread({ payload }: SimulationRequest): boolean {
  let size = 0
  for (const entry of listOf(payload, 'blockStateCalls')) size += 1 + listOf(entry, 'calls').length
  return size >= WORTH_A_THREAD
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
