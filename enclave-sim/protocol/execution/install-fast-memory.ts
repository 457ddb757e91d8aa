import type { EVM } from '@ethereumjs/evm'
import { changeOpcode, type Opcode } from './evm-internals.ts'

const MLOAD = 0x51
const MSTORE = 0x52
const WORD = 32

/**
 * MLOAD and MSTORE, of which Solidity's code is full, without the EVM's detours: where memory is long
 * enough already, gas is told at once and not by a promise; a word goes into memory without becoming
 * hex first.
 */
export function installFastMemory(evm: EVM): void {
  for (const opcode of [MLOAD, MSTORE]) changeOpcode(evm, opcode, tellGasAtOnce)
  changeOpcode(evm, MSTORE, () => ({ opHandler: store }))
}

function tellGasAtOnce(before: Opcode): Pick<Opcode, 'gasHandler'> {
  return {
    gasHandler: (state, gas, common) => {
      const [offset] = state.stack.peek(1) as [bigint]
      const end = offset + BigInt(WORD)
      const isLongEnough = end <= state.memoryWordCount * BigInt(WORD)
      return isLongEnough ? gas : (before.gasHandler(state, gas, common) as bigint)
    },
  }
}

const store: Opcode['opHandler'] = (state) => {
  const [offset, word] = state.stack.popN(2) as [bigint, bigint]
  state.memory.write(Number(offset), WORD, toWord(word))
}

const scratch = new Uint8Array(WORD)
const view = new DataView(scratch.buffer)

/** Big-endian; overwritten by the next call. */
function toWord(value: bigint): Uint8Array {
  for (let at = WORD - 8; at >= 0; at -= 8) {
    view.setBigUint64(at, BigInt.asUintN(64, value))
    value >>= 64n
  }
  return scratch
}
