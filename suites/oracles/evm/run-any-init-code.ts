import type { EVM } from '@ethereumjs/evm'
import { bigIntToBytes, setLengthLeft } from '@ethereumjs/util'
import { MAX_INITCODE_SIZE } from '#protocol/execution/intrinsic-gas'

const CREATE = 0xf0
const CREATE2 = 0xf5

/**
 * Lets CREATE and CREATE2 run init code that begins with 0xef00, as every chain without EOF does: the
 * frame halts at the undefined opcode 0xef, which costs its gas and the creator a nonce. The EVM
 * takes such code for EOF, even where that is off, and gives up for free.
 */
export function runAnyInitCode(evm: EVM): void {
  // biome-ignore lint/complexity/useLiteralKeys: this is how TypeScript lets one at what is protected.
  const opcodes = evm['_opcodeMap']
  for (const opcode of [CREATE, CREATE2]) {
    const entry = opcodes[opcode]!
    type Handler = typeof entry.opHandler
    const create: Handler = entry.opHandler
    const opHandler: Handler = async (state, common) => {
      const [, offset, length] = state.stack.peek(3) as [bigint, bigint, bigint]
      if (length < 2n || length > MAX_INITCODE_SIZE) return create(state, common)
      const initCode = state.memory.read(Number(offset), Number(length))
      if (initCode[0] !== 0xef || initCode[1] !== 0) return create(state, common)
      const [value, , , salt] = state.stack.popN(opcode === CREATE2 ? 4 : 3)
      const gas = state.messageGasLimit!
      delete state.messageGasLimit
      const saltBytes = salt === undefined ? undefined : setLengthLeft(bigIntToBytes(salt), 32)
      state.stack.push(await state.interpreter.create(gas, value!, initCode, saltBytes))
    }
    opcodes[opcode] = { ...entry, opHandler }
  }
}
