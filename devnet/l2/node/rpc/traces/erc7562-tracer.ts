import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import {
  memorySlice,
  type StateView,
  type Step,
  wordToAddress,
  wordToHash,
} from '#protocol/execution/tracer'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { toQuantity } from '../json/hex.ts'
import { type CallFrame, callTracer } from './call-tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { Erc7562TracerConfig } from './trace-options.ts'

/** A frame of callTracer, with what ERC-7562 has rules about. */
export interface ValidationFrame extends Omit<CallFrame, 'calls'> {
  accessedSlots: {
    /** Values before the frame wrote to the slot. */
    reads: Record<Hash, [Hash]>
    writes: Record<Hash, number>
    transientReads: Record<Hash, number>
    transientWrites: Record<Hash, number>
  }
  /** Whose code was looked at, but for a look whether there is any. */
  extCodeAccessInfo: Address[]
  /** By opcode, such as `0x54`. */
  usedOpcodes: Record<Hex, number>
  /** How much code there was when it was first called or looked at, and by which opcode. */
  contractSize: Record<Address, { contractSize: number; opcode: number }>
  /** Of an inner frame. */
  outOfGas: boolean
  /** What was hashed in the whole transaction, sorted; of the outermost frame. */
  keccak?: Hex[]
  calls?: ValidationFrame[]
}

type Access = Pick<
  ValidationFrame,
  'accessedSlots' | 'extCodeAccessInfo' | 'usedOpcodes' | 'contractSize' | 'outOfGas'
>

/** What is known of a frame beside the call itself; the frames it opened follow in their order. */
interface Watched extends Access {
  inner: Watched[]
}

const KECCAK256 = 0x20
const ISZERO = 0x15
const EXTCODESIZE = 0x3b
const EXTERNAL_CODE = new Set([EXTCODESIZE, 0x3c, 0x3f])
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa])
const GAS = 0x5a
const SSTORE = 0x55
const TLOAD = 0x5c
const TSTORE = 0x5d
const STORAGE = new Set([0x54, SSTORE, TLOAD, TSTORE])
const ENDS_WITH_OUTPUT = new Set([0xf3, 0xfd])
const OUT_OF_GAS = new Set(['out of gas', 'contract creation code storage out of gas'])
const ENTRY_BYTES = 150

/**
 * `erc7562Tracer`: the tree of calls with what a bundler must know to judge whether a user operation
 * keeps the rules of ERC-7562 while it is validated: opcodes, storage, code and hashes of each frame.
 * Forms and details are go-ethereum's (eth/tracers/native/erc7562.go).
 */
export function erc7562Tracer(
  { ignoredOpcodes, withLog }: Erc7562TracerConfig,
  budget: TraceBudget,
  firstLogIndex = 0,
): ResultTracer {
  const calls = callTracer({ onlyTopCall: false, withLog }, budget, firstLogIndex)
  const ignored = new Set(ignoredOpcodes)
  const open: Watched[] = []
  const preimages = new Set<Hex>()
  let root: Watched | undefined
  let state: StateView
  /** The step before, and what was on top of its stack. */
  let last: { op: number; top: bigint } | undefined

  const count = <key extends string>(counts: Record<key, number>, key: key): void => {
    if (!(key in counts)) budget.spend(ENTRY_BYTES)
    counts[key] = (counts[key] ?? 0) + 1
  }
  const lookBack = (op: number, frame: Watched): void => {
    if (!last) return
    if (EXTERNAL_CODE.has(last.op) && !(last.op === EXTCODESIZE && op === ISZERO)) {
      budget.spend(ENTRY_BYTES)
      frame.extCodeAccessInfo.push(wordToAddress(last.top))
    }
    // What is left may only be asked for to be passed on.
    if (last.op === GAS && !CALLS.has(op)) count(frame.usedOpcodes, toQuantity(GAS))
  }
  const noteStorage = async ({ op, stack, address }: Step, frame: Watched): Promise<void> => {
    const slot = wordToHash(stack.at(-1) ?? 0n)
    const { reads, writes, transientReads, transientWrites } = frame.accessedSlots
    if (op === SSTORE) return count(writes, slot)
    if (op === TLOAD) return count(transientReads, slot)
    if (op === TSTORE) return count(transientWrites, slot)
    if (slot in reads || slot in writes) return
    budget.spend(ENTRY_BYTES)
    reads[slot] = [await state.storage(address, slot)]
  }
  const noteSize = async (address: Address, opcode: number, frame: Watched): Promise<void> => {
    if (address in frame.contractSize) return
    budget.spend(ENTRY_BYTES)
    const { code } = await state.account(address)
    frame.contractSize[address] = { contractSize: code.length, opcode }
  }
  const noteHash = ({ stack, memory }: Step): void => {
    const preimage = bytesToHex(memorySlice(memory, stack.at(-1) ?? 0n, stack.at(-2) ?? 0n))
    if (preimages.has(preimage)) return
    budget.spend(preimage.length)
    preimages.add(preimage)
  }

  return {
    ...calls,
    onStart(transaction, view) {
      state = view
      return calls.onStart?.(transaction, view)
    },
    onEnter(start) {
      budget.spend(ENTRY_BYTES)
      calls.onEnter?.(start)
      const frame = emptyFrame()
      open.at(-1)?.inner.push(frame)
      root ??= frame
      open.push(frame)
    },
    onExit(end) {
      calls.onExit?.(end)
      const frame = open.pop()!
      frame.outOfGas = open.length > 0 && OUT_OF_GAS.has(end.error ?? '')
    },
    onStep(step) {
      const turn = calls.onStep?.(step)
      const { op, stack } = step
      const frame = open.at(-1)!
      const [top = 0n, second = 0n] = [stack.at(-1), stack.at(-2)]
      if (ENDS_WITH_OUTPUT.has(op)) last = undefined
      lookBack(op, frame)
      last = { op, top }
      if (op !== GAS && !ignored.has(op)) count(frame.usedOpcodes, toQuantity(op))
      if (op === KECCAK256) noteHash(step)
      let reads: Promise<void> | undefined
      if (EXTERNAL_CODE.has(op)) reads = noteSize(wordToAddress(top), op, frame)
      else if (CALLS.has(op)) reads = noteSize(wordToAddress(second), op, frame)
      else if (STORAGE.has(op)) reads = noteStorage(step, frame)
      return turn && reads ? turn.then(() => reads) : (reads ?? turn)
    },
    result() {
      const frame = joined(calls.result() as CallFrame, root ?? emptyFrame())
      return preimages.size === 0 ? frame : { ...frame, keccak: [...preimages].sort() }
    },
  }
}

function emptyFrame(): Watched {
  return {
    accessedSlots: { reads: {}, writes: {}, transientReads: {}, transientWrites: {} },
    extCodeAccessInfo: [],
    usedOpcodes: {},
    contractSize: {},
    outOfGas: false,
    inner: [],
  }
}

function joined({ calls, ...frame }: CallFrame, { inner, ...access }: Watched): ValidationFrame {
  return {
    ...frame,
    ...access,
    ...(calls && { calls: calls.map((call, at) => joined(call, inner[at]!)) }),
  }
}
