import type { EVM, ExecResult } from '@ethereumjs/evm'

/**
 * Everything of ours that reads or changes private parts of @ethereumjs/evm. Its classes are shared by
 * every EVM of the process, so whatever is changed here must ask first whether the EVM is one of ours:
 * a user of rollbed may run others.
 */

type RunState = NonNullable<ExecResult['runState']>
type Interpreter = RunState['interpreter']
type Opcodes = EVM['_opcodeMap']

export type Opcode = Opcodes[number]

/** One frame of code that is about to run. */
export interface Frame {
  state: RunState
  opcodes: Opcodes
  common: EVM['common']
  /** Its code is init code: it runs once, and may be a view of memory. */
  isCreate: boolean
  useGas: Interpreter['useGas']
}

/** As the EVM's own loop: an error of the EVM is part of the result. */
export type RunFrame = (frame: Frame, code: Uint8Array) => ReturnType<Interpreter['run']>

const STOP = 0x00
const REVERT = 0xfd
const NOTHING = new Uint8Array(0)

/** Our EVMs, each with what runs its code while no tracer listens. */
const loops = new WeakMap<object, RunFrame>()
const patched = new WeakSet<object>()

/** Puts what `change` gives over an opcode of this EVM. */
export function changeOpcode(
  evm: EVM,
  opcode: number,
  change: (before: Opcode) => Partial<Opcode>,
): void {
  // biome-ignore lint/complexity/useLiteralKeys: this is how TypeScript lets one at what is protected.
  const opcodes = evm['_opcodeMap']
  const before = opcodes[opcode]!
  opcodes[opcode] = { ...before, ...change(before) }
}

/**
 * Runs the code of this EVM by `loop`, but where a tracer listens: then the EVM's own loop runs, and
 * tells no tracer what REVERT is about to give back. It would read that before gas is paid for it:
 * gigabytes, where somebody asks for them, and none of our tracers looks at it.
 */
export async function runFramesBy(evm: EVM, loop: RunFrame): Promise<void> {
  // The interpreter's class is not exported; a run of nothing gives one of them.
  const { runState } = await evm.runCode({ code: Uint8Array.of(STOP) })
  patch(Object.getPrototypeOf(runState!.interpreter))
  loops.set(evm, loop)
}

function patch(prototype: Interpreter): void {
  if (patched.has(prototype)) return
  patched.add(prototype)
  // biome-ignore-start lint/complexity/useLiteralKeys: as above.
  const { run } = prototype
  prototype.run = function runFrame(code, options) {
    const { _evm: evm } = this
    const loop = loops.get(evm)
    if (!loop || evm.events.listenerCount('step') > 0) return run.call(this, code, options)
    const frame = {
      state: this['_runState'],
      opcodes: evm['_opcodeMap'],
      common: evm.common,
      isCreate: this._env.isCreate ?? false,
      useGas: this.useGas.bind(this),
    }
    return loop(frame, code)
  }
  const tellStep = prototype['_runStepHook']
  prototype['_runStepHook'] = async function tellStepWithoutRevertData(...args) {
    const { opCode, memory } = this['_runState']
    if (opCode !== REVERT || !loops.has(this._evm)) return await tellStep.apply(this, args)
    const { read } = memory
    memory.read = () => NOTHING
    try {
      await tellStep.apply(this, args)
    } finally {
      memory.read = read
    }
  }
  // biome-ignore-end lint/complexity/useLiteralKeys: as above.
}
