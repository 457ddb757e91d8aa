import { type EVM, EVMError, type ExecResult } from '@ethereumjs/evm'
import { analyseJumps, type JumpAnalysis, keepJumps, knownJumps } from './jump-analysis.ts'

type RunState = NonNullable<ExecResult['runState']>
type Interpreter = RunState['interpreter']
type Run = Interpreter['run']

const JUMP = 0x56
const JUMPI = 0x57
const REVERT = 0xfd
const NOTHING = new Uint8Array(0)

/** EVMs whose code runs in the loop below. */
const inFastLoop = new WeakSet<object>()
const patched = new WeakSet<object>()

/**
 * Lets an EVM of Prague or earlier run code in a loop of ours: it waits for nothing but the opcodes
 * that read or write state, and looks for jump destinations once per contract and not per call. A
 * block of ERC-20 transfers takes a third less. The steps themselves stay the EVM's; when a tracer listens to
 * them, the EVM's own loop runs.
 *
 * @param interpreter any of the EVM: its class is not exported
 */
export function installFastLoop(evm: EVM, interpreter: Interpreter): void {
  inFastLoop.add(evm)
  const prototype = Object.getPrototypeOf(interpreter) as Interpreter
  if (patched.has(prototype)) return
  patched.add(prototype)
  readNothingBeforeRevert(prototype)
  const original = prototype.run
  prototype.run = function run(code, options) {
    const { _evm: evm } = this
    const isTraced = evm.events.listenerCount('step') > 0
    if (isTraced || !inFastLoop.has(evm)) return original.call(this, code, options)
    return runCode(this, code)
  }
}

async function runCode(interpreter: Interpreter, code: Uint8Array): ReturnType<Run> {
  // biome-ignore lint/complexity/useLiteralKeys: this is how TypeScript lets one at what is protected.
  const [state, opcodes] = [interpreter['_runState'], interpreter._evm['_opcodeMap']]
  const { common } = interpreter._evm
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
        if (!interpreter._env.isCreate) keepJumps(code, analysis)
      }
      state.opCode = opcode
      const { opcodeInfo, opHandler, gasHandler } = opcodes[opcode]!
      let gas = opcodeInfo.feeBigInt
      if (opcodeInfo.dynamicGas) {
        const dynamic = gasHandler(state, gas, common)
        gas = typeof dynamic === 'bigint' ? dynamic : await dynamic
      }
      if (opcodeInfo.isInvalid) throw new EVMError(EVMError.errorMessages.INVALID_OPCODE)
      interpreter.useGas(gas, opcodeInfo)
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

/**
 * The EVM tells a tracer what REVERT is about to give back, and reads it before gas is paid for it:
 * gigabytes, where somebody asks for them. None of our tracers looks at it.
 */
function readNothingBeforeRevert(prototype: Interpreter): void {
  // biome-ignore-start lint/complexity/useLiteralKeys: as above.
  const original = prototype['_runStepHook']
  prototype['_runStepHook'] = async function tellStep(...args) {
    const { opCode, memory } = this['_runState']
    if (opCode !== REVERT) return await original.apply(this, args)
    const read = memory.read
    memory.read = () => NOTHING
    try {
      await original.apply(this, args)
    } finally {
      memory.read = read
    }
  }
  // biome-ignore-end lint/complexity/useLiteralKeys: as above.
}
