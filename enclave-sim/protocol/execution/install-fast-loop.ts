import { type EVM, EVMError } from '@ethereumjs/evm'
import { type RunFrame, runFramesBy } from './evm-internals.ts'
import { analyseJumps, type JumpAnalysis, keepJumps, knownJumps } from './jump-analysis.ts'

const JUMP = 0x56
const JUMPI = 0x57

/**
 * Lets an EVM of Prague or earlier run code in a loop of ours: it waits for nothing but the opcodes
 * that read or write state, and looks for jump destinations once per contract and not per call. A
 * block of ERC-20 transfers takes a third less. The steps themselves stay the EVM's; when a tracer listens to
 * them, the EVM's own loop runs.
 */
export const installFastLoop = (evm: EVM): Promise<void> => runFramesBy(evm, runFrame)

const runFrame: RunFrame = async ({ state, opcodes, common, isCreate, useGas }, code) => {
  const use = ({ validJumps, cachedPushes }: JumpAnalysis) =>
    Object.assign(state, { validJumps, cachedPushes, shouldDoJumpAnalysis: false })
  state.code = code
  const known = knownJumps(code)
  if (known) use(known)
  try {
    while (state.programCounter < code.length) {
      const opcode = code[state.programCounter]!
      // Code that never jumps is not worth a look.
      if (state.shouldDoJumpAnalysis && (opcode === JUMP || opcode === JUMPI)) {
        const analysis = analyseJumps(code)
        use(analysis)
        // Init code runs once, and may be a view of memory.
        if (!isCreate) keepJumps(code, analysis)
      }
      state.opCode = opcode
      const { opcodeInfo, opHandler, gasHandler } = opcodes[opcode]!
      let gas = opcodeInfo.feeBigInt
      if (opcodeInfo.dynamicGas) {
        const dynamic = gasHandler(state, gas, common)
        gas = typeof dynamic === 'bigint' ? dynamic : await dynamic
      }
      if (opcodeInfo.isInvalid) throw new EVMError(EVMError.errorMessages.INVALID_OPCODE)
      useGas(gas, opcodeInfo)
      state.programCounter++
      if (opcodeInfo.isAsync) await opHandler(state, common)
      else opHandler(state, common)
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error
    if (error.error !== EVMError.errorMessages.STOP) {
      return { runState: state, exceptionError: error }
    }
  }
  return { runState: state }
}
