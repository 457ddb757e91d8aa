import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { FrameEnd, FrameStart, TracedTransaction } from '#protocol/execution/tracer'
import type { Address, Hex } from '#protocol/types/bytes'
import { toQuantity } from '../json/hex.ts'
import { isPrecompile } from './is-precompile.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { FlatCallTracerConfig } from './trace-options.ts'

/** A frame in the form of OpenEthereum's `trace` module. */
export interface FlatTrace {
  action: CallAction | CreateAction | SuicideAction
  /** In OpenEthereum's words. */
  error?: string
  /** null of a selfdestruct, and of a frame that failed without giving anything back. */
  result: CallResult | CreateResult | null
  /** How many frames it opened itself. */
  subtraces: number
  /** The way to it: each number is a position among its parent's frames. */
  traceAddress: number[]
  type: 'call' | 'create' | 'suicide'
}

interface CallAction {
  from: Address
  to: Address
  callType: string
  gas: Hex
  input: Hex
  value: Hex
}

interface CreateAction {
  from: Address
  gas: Hex
  init: Hex
  value: Hex
  creationMethod: string
}

interface SuicideAction {
  address: Address
  refundAddress: Address
  balance: Hex
}

interface CallResult {
  gasUsed: Hex
  output: Hex
}

interface CreateResult {
  address: Address
  code: Hex
  gasUsed: Hex
}

interface OpenTrace {
  trace: FlatTrace
  start: FrameStart
  /** Not in the list: a precompile that was sent nothing. */
  isHidden: boolean
}

/** What a frame takes in JSON beside its data. */
const FRAME_BYTES = 500

/** go-ethereum's words → OpenEthereum's (go-ethereum, eth/tracers/native/call_flat.go). */
const ERRORS: readonly [RegExp, string][] = [
  [/^execution reverted$/, 'Reverted'],
  [/out of gas|gas uint64 overflow|max code size exceeded/, 'Out of gas'],
  [/^invalid jump destination$/, 'Bad jump destination'],
  [/^return data out of bounds$/, 'Out of bounds'],
  [/^stack limit reached/, 'Out of stack'],
  [/^stack underflow/, 'Stack underflow'],
  [/^invalid opcode/, 'Bad instruction'],
  [/^write protection$/, 'Mutable Call In Static Context'],
  [/^insufficient balance for transfer$/, 'Insufficient balance for transfer'],
]

/**
 * `flatCallTracer`: every call, creation and selfdestruct in the order of its beginning, each with its
 * place in the tree.
 */
export function flatCallTracer(config: FlatCallTracerConfig, budget: TraceBudget): ResultTracer {
  const traces: FlatTrace[] = []
  const open: OpenTrace[] = []
  let transaction: TracedTransaction | undefined
  return {
    onStart(started) {
      transaction = started
    },
    onEnter(start) {
      budget.spend(FRAME_BYTES + 2 * start.input.length)
      const parent = open.at(-1)
      const isHidden = !!parent && !config.includePrecompiles && isQuietPrecompile(start)
      const traceAddress = parent ? [...parent.trace.traceAddress, parent.trace.subtraces] : []
      const trace = openTrace(start, traceAddress)
      open.push({ trace, start, isHidden })
      if (isHidden) return
      if (parent) parent.trace.subtraces += 1
      traces.push(trace)
    },
    onStep: () => budget.step(),
    onExit(end) {
      budget.spend(2 * end.output.length)
      const { trace, start, isHidden } = open.pop()!
      if (!isHidden) closeTrace(trace, start, end)
    },
    onEnd() {
      if (traces.length === 0) traces.push(traceOfRefused(transaction!))
    },
    result: () => traces,
  }
}

function isQuietPrecompile({ type, to, value = 0n }: FrameStart): boolean {
  return type.includes('CALL') && value === 0n && isPrecompile(to)
}

function openTrace(start: FrameStart, traceAddress: number[]): FlatTrace {
  const { type, from, to } = start
  const value = toQuantity(start.value ?? 0n)
  const place = { result: null, subtraces: 0, traceAddress }
  if (type === 'SELFDESTRUCT') {
    return {
      action: { address: from, refundAddress: to, balance: value },
      ...place,
      type: 'suicide',
    }
  }
  const gas = toQuantity(start.gas)
  const data = bytesToHex(start.input)
  if (type === 'CREATE' || type === 'CREATE2') {
    const creationMethod = type.toLowerCase()
    return {
      action: { from, gas, init: data, value, creationMethod },
      ...place,
      type: 'create',
    }
  }
  const callType = type.toLowerCase()
  return { action: { from, to, callType, gas, input: data, value }, ...place, type: 'call' }
}

function closeTrace(trace: FlatTrace, start: FrameStart, end: FrameEnd): void {
  const { output, error } = end
  if (error !== undefined) trace.error = inTheirWords(error, start)
  if (trace.type === 'suicide' || (error !== undefined && trace.error !== 'Reverted')) return
  const gasUsed = toQuantity(end.gasUsed)
  trace.result =
    trace.type === 'call'
      ? { gasUsed, output: bytesToHex(output) }
      : { address: start.to, code: bytesToHex(output), gasUsed }
}

/** A deposit stands in its block even when it cannot run at all. */
function traceOfRefused({ from, to, isCreation, gas, value, data }: TracedTransaction): FlatTrace {
  const type = isCreation ? 'CREATE' : 'CALL'
  const trace = openTrace({ type, depth: 0, from, to, input: data, gas, value }, [])
  return { ...trace, error: 'failed deposit' }
}

function inTheirWords(error: string, { to }: FrameStart): string {
  const known = ERRORS.find(([ours]) => ours.test(error))?.[1]
  // A precompile says itself what is wrong with its input.
  return known ?? (isPrecompile(to) ? 'Built-in failed' : error)
}
