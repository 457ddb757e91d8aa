import { bigIntMin } from '@ethereumjs/util'
import type { Engine } from '../evm/engine.ts'
import { OPCODES } from '../evm/opcodes.ts'
import type { Address } from '../types/bytes.ts'
import { type FrameStart, type FrameType, memorySlice, type Step, wordToAddress } from './tracer.ts'

/** Opcodes that open a frame. */
export const FRAME_OPCODES: Readonly<Record<number, FrameType>> = {
  240: 'CREATE',
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  245: 'CREATE2',
  250: 'STATICCALL',
  255: 'SELFDESTRUCT',
}

const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa])

const CALL_STIPEND = 2300n
const NO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/** The engine before an opcode. What is large is read when it is asked for, which must be at once. */
export class TracedStep implements Step {
  readonly pc: number
  readonly op: number
  readonly gas: bigint
  readonly cost: bigint
  readonly passedGas: bigint
  readonly depth: number
  readonly address: Address
  readonly refund: bigint
  readonly #engine: Engine
  #stack: bigint[] | undefined
  #memory: Uint8Array | undefined

  constructor(engine: Engine, address: Address) {
    const { pc, opcode, gas, cost, depth, refund } = engine.stepInfo()
    this.#engine = engine
    this.address = address
    this.pc = pc
    this.op = opcode
    this.gas = gas
    this.passedGas = CALLS.has(opcode) ? forwardedGas(this.stack.at(-1), gas - cost) : 0n
    this.cost = cost + this.passedGas
    this.depth = depth + 1
    this.refund = refund
  }

  get opName(): string {
    return opcodeName(this.op)
  }

  get stack(): readonly bigint[] {
    this.#stack ??= this.#engine.stack()
    return this.#stack
  }

  get memory(): Uint8Array {
    this.#memory ??= this.#engine.frameMemory()
    return this.#memory
  }

  get returnData(): Uint8Array {
    return this.#engine.returnData()
  }

  /** Reads what may be asked for after the opcode has run. */
  keep(): void {
    this.#stack ??= this.#engine.stack()
    this.#memory ??= this.#engine.frameMemory()
  }
}

/** The frame that a call or creation asks for, whether it comes to be or not. */
export function wantedFrame(type: FrameType, step: Step): FrameStart {
  const { memory, address: from, gas, cost, passedGas, depth } = step
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = step.stack.toReversed()
  const left = gas - cost
  if (type === 'CREATE' || type === 'CREATE2') {
    const input = memorySlice(memory, second, third)
    return { type, depth, from, to: NO_ADDRESS, input, gas: left - left / 64n, value: first }
  }
  const hasValue = type === 'CALL' || type === 'CALLCODE'
  const [offset, length] = hasValue ? [fourth, fifth] : [third, fourth]
  const value = hasValue ? third : undefined
  return {
    type,
    depth,
    from,
    to: wordToAddress(second),
    input: memorySlice(memory, offset, length),
    gas: passedGas + (value ? CALL_STIPEND : 0n),
    value,
  }
}

/** go-ethereum still has one name from before the merge, and none for what is no opcode. */
export function opcodeName(code: number): string {
  if (code === 0x44) return 'DIFFICULTY'
  if (code === 0xfe) return 'INVALID'
  return OPCODES[code]?.name ?? `opcode 0x${code.toString(16)} not defined`
}

/** EIP-150: all but one 64th at most; nothing where the call itself cannot be paid. */
function forwardedGas(wanted: bigint | undefined, left: bigint): bigint {
  return left > 0n ? bigIntMin(wanted ?? 0n, left - left / 64n) : 0n
}
