import {
  EVMError,
  type EVMResult,
  type ExecResult,
  type InterpreterStep,
  type Message,
} from '@ethereumjs/evm'
import { bytesToHex, generateAddress2 } from '@ethereumjs/util'
import type { Address } from '../types/bytes.ts'
import { createdAddress } from './created-address.ts'
import { haltReason, haltWithoutCode } from './halt.ts'
import type { Machine } from './machine.ts'
import { FRAME_OPCODES, opcodeName, stopStep, tracedStep, wantedFrame } from './traced-step.ts'
import { type FrameStart, type FrameType, type Step, type Tracer, wordToAddress } from './tracer.ts'

const { errorMessages } = EVMError
const NOTHING = new Uint8Array(0)
const CALL_DEPTH_LIMIT = 1024
const TSTORE = 0x5d

/** STOP, RETURN, REVERT, SELFDESTRUCT. */
const HALTING_OPCODES = new Set([0x00, 0xf3, 0xfd, 0xff])

interface OpenFrame {
  start: FrameStart
  /** Whose storage it works on. */
  address: Address
  /** Of the frame itself, which DELEGATECALL hands on. */
  value: bigint
  returnData: Uint8Array
  /** The last step, if it opens a frame that has not been seen yet. */
  opening: { type: FrameType; step: Step; balance: bigint } | undefined
}

/**
 * Lets a tracer hear the events of an EVM, completed where the EVM is silent: calls that fail before
 * they begin, selfdestructs, and the STOP at the end of code are told of as go-ethereum does.
 *
 * @returns what ends it.
 */
export function attachTracer(machine: Machine, tracer: Tracer): () => void {
  const watch = new FrameWatch(machine, tracer)
  const { events } = machine.evm
  // A listener with two parameters is waited for; a promise handed to the second one is adopted, so
  // that what a hook throws reaches the caller.
  const onBefore = (message: Message, done?: (value?: unknown) => void) =>
    done?.(watch.enter(message))
  const onStep = (step: InterpreterStep, done?: (value?: unknown) => void) =>
    done?.(watch.step(step))
  const onAfter = (result: EVMResult, done?: (value?: unknown) => void) =>
    done?.(watch.exit(result))
  events.on('beforeMessage', onBefore)
  events.on('afterMessage', onAfter)
  events.on('step', onStep)
  return () => {
    events.off('beforeMessage', onBefore)
    events.off('afterMessage', onAfter)
    events.off('step', onStep)
  }
}

class FrameWatch {
  readonly #machine: Machine
  readonly #tracer: Tracer
  readonly #frames: OpenFrame[] = []

  constructor(machine: Machine, tracer: Tracer) {
    this.#machine = machine
    this.#tracer = tracer
  }

  async enter(message: Message): Promise<void> {
    const parent = this.#frames.at(-1)
    const type = parent?.opening?.type ?? (message.to ? 'CALL' : 'CREATE')
    const caller: Address = bytesToHex(message.caller.bytes)
    const isDelegate = type === 'DELEGATECALL'
    const to = message.to
      ? bytesToHex(message.codeAddress.bytes)
      : await this.#newAddress(caller, message)
    const start: FrameStart = {
      type,
      depth: message.depth,
      from: isDelegate ? bytesToHex(message.to!.bytes) : caller,
      to,
      // A copy: it is a view of memory that the caller goes on writing to.
      input: message.data.slice(),
      gas: message.gasLimit,
      value: type === 'STATICCALL' ? undefined : isDelegate ? parent!.value : message.value,
    }
    if (parent) parent.opening = undefined
    this.#frames.push({
      start,
      address: message.to ? bytesToHex(message.to.bytes) : to,
      value: start.value ?? 0n,
      returnData: NOTHING,
      opening: undefined,
    })
    this.#tracer.onEnter?.(start)
  }

  step(event: InterpreterStep): void | Promise<void> {
    const frame = this.#frames.at(-1)!
    this.#failedOpening(frame)
    const step = tracedStep(event, frame)
    const type = FRAME_OPCODES[step.op]
    if (type) {
      frame.returnData = NOTHING
      frame.opening = { type, step, balance: event.account.balance }
    }
    return this.#tracer.onStep?.(step)
  }

  async exit({ execResult }: EVMResult): Promise<void> {
    const { exceptionError, executionGasUsed, returnValue, runState } = execResult
    const frame = this.#frames.at(-1)!
    const { type, depth } = frame.start
    if (runState && !exceptionError) {
      if (frame.opening?.type === 'SELFDESTRUCT') this.#selfDestructed(frame)
      this.#failedOpening(frame)
      if (!HALTING_OPCODES.has(runState.opCode)) {
        await this.#tracer.onStep?.(stopStep(runState, depth + 1, frame))
      }
    }
    const error = exceptionError && frameError(type, execResult)
    if (error && runState && isFault(execResult)) this.#tracer.onFault?.(depth + 1, error)
    this.#frames.pop()
    const isRevert = runState !== undefined && exceptionError?.error === errorMessages.REVERT
    const output = !exceptionError || isRevert ? returnValue : NOTHING
    const parent = this.#frames.at(-1)
    // A creation gives its code to the state, and nothing back.
    if (parent) parent.returnData = type.startsWith('CREATE') && !isRevert ? NOTHING : output
    this.#tracer.onExit?.({ depth, output, gasUsed: executionGasUsed, ...(error && { error }) })
  }

  /** The EVM does not even begin a frame that lacks the value, or lies too deep. */
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

  async #newAddress(caller: Address, message: Message): Promise<Address> {
    if (message.salt) {
      return bytesToHex(generateAddress2(message.caller.bytes, message.salt, message.data))
    }
    const { nonce } = await this.#machine.state.world.entry(caller)
    return createdAddress(caller, nonce - 1n)
  }
}

/** In go-ethereum's words (core/vm/errors.go), where they differ from those of calls. */
function frameError(type: FrameType, { exceptionError, runState }: ExecResult): string {
  const { error } = exceptionError!
  if (!runState) return haltWithoutCode(exceptionError!).message
  if (error === errorMessages.OUT_OF_GAS && type.startsWith('CREATE') && hasReturned(runState)) {
    return 'contract creation code storage out of gas'
  }
  if (error === errorMessages.INVALID_OPCODE) {
    return `invalid opcode: ${opcodeName('INVALID', runState.opCode)}`
  }
  // Only opcodes that leave one more on the stack than they take can overflow it.
  if (error === errorMessages.STACK_OVERFLOW) return 'stack limit reached 1024 (1023)'
  return haltReason(exceptionError!).message
}

/** Whether the last opcode failed before it did anything. */
function isFault({ exceptionError, runState }: ExecResult): boolean {
  const { error } = exceptionError!
  if (error === errorMessages.OUT_OF_GAS) return !hasReturned(runState)
  // What is forbidden in a static call is found before it is paid, but for TSTORE.
  if (error === errorMessages.STATIC_STATE_CHANGE) return runState!.opCode !== TSTORE
  return error === errorMessages.STACK_UNDERFLOW || error === errorMessages.STACK_OVERFLOW
}

/** RETURN was run: a failure after it is about storing the code. */
function hasReturned(runState: ExecResult['runState']): boolean {
  return (runState as { returnValue?: Uint8Array } | undefined)?.returnValue !== undefined
}
