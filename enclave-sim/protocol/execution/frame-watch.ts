import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import type { Engine } from '../evm/engine.ts'
import { EngineExit } from '../evm/engine-exit.ts'
import type { EngineFrameEnd } from '../evm/engine-message.ts'
import type { Address } from '../types/bytes.ts'
import { type Halt, haltReason } from './halt.ts'
import { FRAME_OPCODES, opcodeName, TracedStep, wantedFrame } from './traced-step.ts'
import { type FrameStart, type FrameType, type Step, type Tracer, wordToAddress } from './tracer.ts'

const NOTHING = new Uint8Array(0)
const CALL_DEPTH_LIMIT = 1024
const TSTORE = 0x5d

interface OpenFrame {
  start: FrameStart
  /** Whose storage it works on. */
  address: Address
  hasCode: boolean
  /** The last step, if it opens a frame that has not been seen yet. */
  opening: { type: FrameType; step: Step; balance: bigint } | undefined
}

/**
 * Tells a tracer what happens in the engine, completed where that is silent: calls that fail before
 * they begin and selfdestructs are told of as go-ethereum does.
 */
export class FrameWatch {
  readonly #engine: Engine
  readonly #tracer: Tracer
  readonly #frames: OpenFrame[] = []

  constructor(engine: Engine, tracer: Tracer) {
    this.#engine = engine
    this.#tracer = tracer
  }

  /**
   * @param exit EngineExit.enter, step or leave
   * @param precompileHalt why the last precompile failed
   */
  hear(exit: number, precompileHalt: Halt | undefined): void | Promise<void> {
    if (exit === EngineExit.step) return this.#step()
    if (exit === EngineExit.enter) this.#enter()
    else this.#leave(this.#engine.frameEnd(), precompileHalt)
  }

  #enter(): void {
    const { kind, depth, caller, account, target, value, gas, input, hasCode } =
      this.#engine.frame()
    const type = FRAME_OPCODES[kind]!
    const address: Address = bytesToHex(account)
    const start: FrameStart = {
      type,
      depth,
      from: type === 'DELEGATECALL' ? address : bytesToHex(caller),
      to: bytesToHex(target),
      input,
      gas,
      value: type === 'STATICCALL' ? undefined : value,
    }
    const parent = this.#frames.at(-1)
    if (parent) parent.opening = undefined
    this.#frames.push({ start, address, hasCode, opening: undefined })
    this.#tracer.onEnter?.(start)
  }

  #step(): void | Promise<void> {
    const frame = this.#frames.at(-1)!
    this.#failedOpening(frame)
    const step = new TracedStep(this.#engine, frame.address)
    const type = FRAME_OPCODES[step.op]
    if (type) {
      step.keep()
      const { balance } = this.#engine.frameAccount()
      frame.opening = { type, step, balance }
    }
    return this.#tracer.onStep?.(step)
  }

  #leave(end: EngineFrameEnd, precompileHalt: Halt | undefined): void {
    const { depth, exit, gasUsed, output } = end
    const frame = this.#frames.at(-1)!
    const hasFailed = exit >= EngineExit.revert
    if (!hasFailed) {
      if (frame.opening?.type === 'SELFDESTRUCT') this.#selfDestructed(frame)
      this.#failedOpening(frame)
    }
    const error = hasFailed ? frameError(frame, end, precompileHalt) : undefined
    if (error && frame.hasCode && isFault(end)) this.#tracer.onFault?.(depth + 1, error)
    this.#frames.pop()
    this.#tracer.onExit?.({ depth, output, gasUsed, ...(error && { error }) })
  }

  /** The engine does not even begin a frame that lacks the value, or lies too deep. */
  #failedOpening(frame: OpenFrame): void {
    const { opening } = frame
    if (!opening) return
    frame.opening = undefined
    const { type, step } = opening
    const error =
      frame.start.depth >= CALL_DEPTH_LIMIT
        ? 'max call depth exceeded'
        : 'insufficient balance for transfer'
    this.#tracer.onEnter?.(wantedFrame(type, step))
    const { depth } = step
    this.#tracer.onExit?.({ depth, output: NOTHING, gasUsed: 0n, error })
  }

  #selfDestructed(frame: OpenFrame): void {
    const { step, balance } = frame.opening!
    const { depth } = step
    frame.opening = undefined
    this.#tracer.onEnter?.({
      type: 'SELFDESTRUCT',
      depth,
      from: frame.address,
      to: wordToAddress(step.stack.at(-1)!),
      input: NOTHING,
      gas: 0n,
      value: balance,
    })
    this.#tracer.onExit?.({ depth, output: NOTHING, gasUsed: 0n })
  }
}

/** In go-ethereum's words (core/vm/errors.go), where they differ from those of calls. */
function frameError(
  { start, hasCode }: OpenFrame,
  { exit, opcode }: EngineFrameEnd,
  precompileHalt: Halt | undefined,
): string {
  if (!hasCode && precompileHalt && !start.type.startsWith('CREATE')) return precompileHalt.message
  if (exit === EngineExit.codeStoreOutOfGas) return 'contract creation code storage out of gas'
  if (exit === EngineExit.invalidOpcode) return `invalid opcode: ${opcodeName(opcode)}`
  // Only opcodes that leave one more on the stack than they take can overflow it.
  if (exit === EngineExit.stackOverflow) return 'stack limit reached 1024 (1023)'
  return haltReason(exit).message
}

/** Whether the last opcode failed before it did anything. */
function isFault({ exit, opcode }: EngineFrameEnd): boolean {
  // What is forbidden in a static call is found before it is paid, but for TSTORE.
  if (exit === EngineExit.staticStateChange) return opcode !== TSTORE
  return (
    exit === EngineExit.outOfGas ||
    exit === EngineExit.stackUnderflow ||
    exit === EngineExit.stackOverflow
  )
}
