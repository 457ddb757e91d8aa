import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import {
  type StateView,
  type Step,
  type TracedOutcome,
  wordToHash,
} from '#protocol/execution/tracer'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { toQuantity } from '../json/hex.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { StructLoggerConfig } from './trace-options.ts'

/** A step as go-ethereum's struct logger tells it (eth/tracers/logger/logger.go). */
export interface StructLog {
  pc: number
  op: string
  gas: number
  gasCost: number
  /** 1: the transaction's own frame. */
  depth: number
  error?: string
  stack?: Hex[]
  returnData?: Hex
  /** Words. */
  memory?: Hex[]
  /** At SLOAD and SSTORE: all that the account's storage has shown so far. */
  storage?: Record<Hash, Hash>
  refund?: number
}

/** What a step takes in JSON beside stack, memory and storage. */
const STEP_BYTES = 80
const SLOT_BYTES = 140
/** What a short string takes in memory beside its letters: more than in JSON. */
const STRING_BYTES = 32
const SLOAD = 0x54
const SSTORE = 0x55

/** The tracer one gets by not naming any: every step with stack, memory and storage. */
export function structLogger(config: StructLoggerConfig, budget: TraceBudget): ResultTracer {
  const logs: StructLog[] = []
  /** By depth: the last step of the frame that is open there. */
  const lastLog: (StructLog | undefined)[] = []
  const storage = new Map<Address, Record<Hash, Hash>>()
  let state: StateView
  let outcome: TracedOutcome

  const addStorage = async (step: Step, log: StructLog): Promise<void> => {
    const [key, value] = [step.stack.at(-1), step.stack.at(-2)]
    if (key === undefined || (step.op === SSTORE && value === undefined)) return
    const slot = wordToHash(key)
    const word = step.op === SSTORE ? wordToHash(value!) : await state.storage(step.address, slot)
    const seen = { ...storage.get(step.address), [slot]: word }
    storage.set(step.address, seen)
    budget.spend(SLOT_BYTES * Object.keys(seen).length)
    log.storage = seen
  }
  return {
    onStart(_, view) {
      state = view
    },
    onStep(step) {
      if (config.limit > 0 && logs.length >= config.limit) return budget.step()
      const log = structLog(step, config)
      budget.spend(STEP_BYTES + logBytes(log))
      logs.push(log)
      lastLog[step.depth] = log
      const showsStorage = !config.disableStorage && (step.op === SLOAD || step.op === SSTORE)
      return showsStorage ? addStorage(step, log).then(() => budget.step()) : budget.step()
    },
    onFault(depth, error) {
      const log = lastLog[depth]
      if (log) log.error = error
    },
    onEnd(ended) {
      outcome = ended
    },
    result: () => ({
      gas: Number(outcome.gasUsed),
      failed: outcome.status === 0,
      returnValue: bytesToHex(outcome.output),
      structLogs: logs,
    }),
  }
}

function structLog(step: Step, config: StructLoggerConfig): StructLog {
  const { pc, opName, gas, cost, depth, stack, memory, returnData, refund } = step
  return {
    pc,
    op: opName,
    gas: Number(gas),
    gasCost: Number(cost),
    depth,
    ...(!config.disableStack && { stack: stack.map(toQuantity) }),
    ...(config.enableReturnData && returnData.length > 0 && { returnData: bytesToHex(returnData) }),
    ...(config.enableMemory && memory.length > 0 && { memory: memoryWords(memory) }),
    ...(refund > 0n && { refund: Number(refund) }),
  }
}

function memoryWords(memory: Uint8Array): Hex[] {
  const words: Hex[] = []
  for (let at = 0; at < memory.length; at += 32)
    words.push(bytesToHex(memory.subarray(at, at + 32)))
  return words
}

function logBytes({ stack = [], memory = [], returnData = '0x' }: StructLog): number {
  const stackBytes = stack.reduce((sum, word) => sum + word.length + STRING_BYTES, 0)
  return stackBytes + 69 * memory.length + returnData.length
}
