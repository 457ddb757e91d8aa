import type { EVM } from '@ethereumjs/evm'

const MLOAD = 0x51
const MSTORE = 0x52
const WORD = 32

/**
 * MLOAD and MSTORE, of which Solidity's code is full, without the EVM's detours: where memory is long
 * enough already, gas is told at once and not by a promise; a word goes into memory without becoming
 * hex first.
 */
export function installFastMemory(evm: EVM): void {
  // biome-ignore lint/complexity/useLiteralKeys: this is how TypeScript lets one at what is protected.
  const opcodes = evm['_opcodeMap']
  type Entry = (typeof opcodes)[number]
  for (const opcode of [MLOAD, MSTORE]) {
    const entry = opcodes[opcode]!
    const gasHandler: Entry['gasHandler'] = (state, gas, common) => {
      const [offset] = state.stack.peek(1) as [bigint]
      const end = offset + BigInt(WORD)
      const isLongEnough = end <= state.memoryWordCount * BigInt(WORD)
      return isLongEnough ? gas : (entry.gasHandler(state, gas, common) as bigint)
    }
    opcodes[opcode] = { ...entry, gasHandler }
  }
  const opHandler: Entry['opHandler'] = (state) => {
    const [offset, word] = state.stack.popN(2) as [bigint, bigint]
    state.memory.write(Number(offset), WORD, toWord(word))
  }
  opcodes[MSTORE] = { ...opcodes[MSTORE]!, opHandler }
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
