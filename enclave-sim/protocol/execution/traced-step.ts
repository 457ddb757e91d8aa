import type { ExecResult, InterpreterStep } from '@ethereumjs/evm'
import { bigIntMin } from '@ethereumjs/util'
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

/** What a step of the EVM does not tell itself. */
interface StepSurroundings {
  address: Address
  returnData: Uint8Array
}

export function tracedStep(
  event: InterpreterStep,
  { address, returnData }: StepSurroundings,
): Step {
  const { pc, opcode, gasLeft, depth, stack, memory, gasRefund } = event
  const ownCost = opcode.dynamicFee ?? BigInt(opcode.fee)
  const passedGas = CALLS.has(opcode.code) ? forwardedGas(stack.at(-1), gasLeft - ownCost) : 0n
  return {
    pc,
    op: opcode.code,
    opName: opcodeName(opcode.name, opcode.code),
    gas: gasLeft,
    cost: ownCost + passedGas,
    passedGas,
    depth: depth + 1,
    address,
    stack,
    memory,
    returnData,
    refund: gasRefund,
  }
}

/** The STOP that the end of code stands for, which is no step of the EVM. */
export function stopStep(
  state: NonNullable<ExecResult['runState']>,
  depth: number,
  { address, returnData }: StepSurroundings,
): Step {
  return {
    pc: state.programCounter,
    op: 0,
    opName: 'STOP',
    gas: state.gasLeft,
    cost: 0n,
    passedGas: 0n,
    depth,
    address,
    stack: state.stack.getStack(),
    memory: state.memory.read(0, Number(state.memoryWordCount) * 32),
    returnData,
    refund: state.gasRefund,
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

/** go-ethereum still has the name from before the merge, and none for what is no opcode. */
export function opcodeName(name: string, code: number): string {
  if (code === 0x44) return 'DIFFICULTY'
  if (name === 'INVALID' && code !== 0xfe) return `opcode 0x${code.toString(16)} not defined`
  return name
}

/** EIP-150: all but one 64th at most; nothing where the call itself cannot be paid. */
function forwardedGas(wanted: bigint | undefined, left: bigint): bigint {
  return left > 0n ? bigIntMin(wanted ?? 0n, left - left / 64n) : 0n
}
