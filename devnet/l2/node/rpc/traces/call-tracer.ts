import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import {
  type FrameEnd,
  type FrameStart,
  memorySlice,
  type Step,
  type TracedTransaction,
  wordToHash,
} from '#protocol/execution/tracer'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { revertReason } from '../calls/revert-reason.ts'
import { toQuantity } from '../json/hex.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { CallTracerConfig } from './trace-options.ts'

/** A frame as go-ethereum's callTracer tells it (eth/tracers/native/call.go). */
export interface CallFrame {
  from: Address
  gas: Hex
  gasUsed: Hex
  /** Absent for a creation that failed. */
  to?: Address
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  calls?: CallFrame[]
  logs?: CallLog[]
  value?: Hex
  type: string
}

interface CallLog {
  address: Address
  topics: Hash[]
  data: Hex
  /** Position in the block. */
  index: Hex
  /** How many inner calls the frame had made before it. */
  position: Hex
}

/** What a frame takes in JSON beside its data. */
const FRAME_BYTES = 400

/**
 * `callTracer`: the tree of calls.
 * @param firstLogIndex how many logs the block has before the transaction
 */
export function callTracer(
  config: CallTracerConfig,
  budget: TraceBudget,
  firstLogIndex = 0,
): ResultTracer {
  const open: { frame: CallFrame; logIndex: number }[] = []
  let transaction: TracedTransaction | undefined
  let root: CallFrame | undefined
  let logIndex = firstLogIndex

  const addLog = (step: Step) => {
    const { frame } = open.at(-1)!
    const log = readLog(step, logIndex++, frame.calls?.length ?? 0)
    if (config.onlyTopCall && step.depth > 1) return
    budget.spend(FRAME_BYTES + log.data.length)
    frame.logs ??= []
    frame.logs.push(log)
  }
  return {
    onStart(started) {
      transaction = started
    },
    onEnter(start) {
      budget.spend(FRAME_BYTES + 2 * start.input.length)
      const frame = openFrame(start)
      const parent = open.at(-1)?.frame
      if (!parent) {
        frame.gas = toQuantity(transaction!.gas)
        root = frame
      } else if (!config.onlyTopCall) {
        parent.calls ??= []
        parent.calls.push(frame)
      }
      open.push({ frame, logIndex })
    },
    onStep(step) {
      if (config.withLog && isLog(step)) addLog(step)
      return budget.step()
    },
    onExit(end) {
      budget.spend(2 * end.output.length)
      const { frame, logIndex: logIndexBefore } = open.pop()!
      if (end.error !== undefined) logIndex = logIndexBefore
      closeFrame(frame, end)
    },
    onEnd(outcome) {
      root ??= frameOfRefused(transaction!)
      root.gasUsed = toQuantity(outcome.gasUsed)
      dropFailedLogs(root, false)
    },
    result: () => root,
  }
}

function openFrame({ type, from, to, input, gas, value }: FrameStart): CallFrame {
  return {
    from,
    gas: toQuantity(gas),
    gasUsed: '0x0',
    to,
    input: bytesToHex(input),
    ...(value !== undefined && { value: toQuantity(value) }),
    type,
  }
}

function closeFrame(frame: CallFrame, { output, gasUsed, error }: FrameEnd): void {
  frame.gasUsed = toQuantity(gasUsed)
  if (output.length > 0) frame.output = bytesToHex(output)
  if (error === undefined) return
  frame.error = error
  if (frame.type.startsWith('CREATE')) delete frame.to
  const reason = output.length < 4 ? undefined : revertReason(output)
  if (reason !== undefined) frame.revertReason = reason
}

/** A deposit stands in its block even when it cannot run at all, and uses all its gas. */
function frameOfRefused({ from, to, isCreation, gas, value, data }: TracedTransaction): CallFrame {
  const type = isCreation ? 'CREATE' : 'CALL'
  const frame = openFrame({ type, depth: 0, from, to, input: data, gas, value })
  frame.error = 'failed deposit'
  return frame
}

function isLog({ op }: Step): boolean {
  return op >= 0xa0 && op <= 0xa4
}

function readLog({ op, stack, memory, address }: Step, index: number, position: number): CallLog {
  const [offset = 0n, length = 0n, ...rest] = stack.toReversed()
  return {
    address,
    topics: rest.slice(0, op - 0xa0).map(wordToHash),
    data: bytesToHex(memorySlice(memory, offset, length)),
    index: toQuantity(index),
    position: toQuantity(position),
  }
}

/** What a failed frame has logged never was. */
function dropFailedLogs(frame: CallFrame, isParentFailed: boolean): void {
  const isFailed = isParentFailed || frame.error !== undefined
  if (isFailed) delete frame.logs
  for (const inner of frame.calls ?? []) dropFailedLogs(inner, isFailed)
}
