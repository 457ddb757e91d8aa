import type { CodeSource, MappedInstruction } from '../code-source.ts'
import type { FrameJson, Hex, StepJson } from './json-types.ts'

/** A call or creation that ran code, as long as it ran. */
export interface RunningFrame {
  frame: FrameJson
  /** Undefined for the transaction's own. */
  parent: RunningFrame | undefined
  /** Whose storage it reads and writes. */
  account: Hex
}

export interface DebugStep {
  step: StepJson
  running: RunningFrame
  /** Where it is in the sources; undefined where they are not known, or it belongs to no statement. */
  place: MappedInstruction | undefined
  /** Functions of the contract that it is inside of. */
  inner: number
}

/**
 * The frame that each step belongs to.
 * @throws Error when the call tree is of another transaction
 */
export function framesOf(steps: readonly StepJson[], root: FrameJson): RunningFrame[] {
  let open: RunningFrame[] = [{ frame: root, parent: undefined, account: root.to ?? '0x' }]
  const seen = new Map<FrameJson, number>()
  return steps.map(({ depth }, index) => {
    open = open.slice(0, depth)
    if (open.length < depth) {
      const parent = open.at(-1)!
      const frame = enteredFrame(parent.frame, steps[index - 1]!, seen)
      const keepsAccount = frame.type === 'DELEGATECALL' || frame.type === 'CALLCODE'
      open.push({ frame, parent, account: keepsAccount ? parent.account : (frame.to ?? '0x') })
    }
    return open.at(-1)!
  })
}

/** The call that the step made, among those of its frame that come after the last that ran code. */
function enteredFrame(of: FrameJson, step: StepJson, seen: Map<FrameJson, number>): FrameJson {
  const calls = of.calls ?? []
  const isIt = (frame: FrameJson) =>
    frame.type === step.op && (isCreation(frame) || isAddressIn(step.stack.at(-2)!, frame.to!))
  const from = seen.get(of) ?? 0
  const at = calls.findIndex((frame, index) => index >= from && isIt(frame))
  if (at < 0) throw new Error('The call tree does not fit the steps.')
  seen.set(of, at + 1)
  return calls[at]!
}

export const isCreation = ({ type }: FrameJson): boolean => type.startsWith('CREATE')

const isAddressIn = (word: Hex, address: Hex) =>
  BigInt.asUintN(160, BigInt(word)) === BigInt(address)

/**
 * The steps with their places in the sources.
 * @param sourceOf the source of a frame's code, where it is known
 */
export function debugSteps(
  steps: readonly StepJson[],
  frames: readonly RunningFrame[],
  sourceOf: (frame: FrameJson) => CodeSource | undefined,
): DebugStep[] {
  const maps = new Map<FrameJson, Map<number, MappedInstruction>>()
  const innerOf = new Map<RunningFrame, number>()
  return steps.map((step, index) => {
    const running = frames[index]!
    const { frame } = running
    if (!maps.has(frame)) {
      const { instructions = [] } = sourceOf(frame) ?? {}
      maps.set(frame, new Map(instructions.map((each) => [each.pc, each])))
    }
    const at = maps.get(frame)!.get(step.pc)
    const inner = innerOf.get(running) ?? 0
    const moves = step.op === 'JUMP' && at ? { i: 1, o: -1, '-': 0 }[at.jump] : 0
    innerOf.set(running, Math.max(0, inner + moves))
    return { step, running, inner, place: at?.line ? at : undefined }
  })
}

/** Ways to go on from a step. */
export type Move = 'into' | 'over' | 'out' | 'back'

/** The step that a move leads to; undefined where there is none. */
export function moveFrom(steps: readonly DebugStep[], at: number, move: Move): number | undefined {
  const from = steps[at]!
  const isOther = (step: DebugStep) => step.place !== undefined && !isSameLine(step, from)
  if (move === 'back') {
    const before = steps.slice(0, at).findLastIndex(isOther)
    if (before < 0) return undefined
    // Its line begins further up.
    const line = steps[before]!
    const other = steps
      .slice(0, before)
      .findLastIndex((step) => step.place && !isSameLine(step, line))
    return steps.findIndex((step, index) => index > other && isSameLine(step, line))
  }
  const isWanted = {
    into: () => true,
    over: (step: DebugStep) => depthBeside(step, from) <= 0,
    out: (step: DebugStep) => depthBeside(step, from) < 0,
  }[move]
  const next = steps.findIndex((step, index) => index > at && isOther(step) && isWanted(step))
  return next < 0 ? undefined : next
}

function isSameLine(one: DebugStep, other: DebugStep): boolean {
  const [here, there] = [one.place, other.place]
  if (!here || !there) return false
  const isSame = here.file === there.file && here.line === there.line
  return isSame && one.running === other.running && levelOf(one) === levelOf(other)
}

/** Below zero where a step is further out than another. */
function depthBeside(step: DebugStep, other: DebugStep): number {
  return step.step.depth - other.step.depth || levelOf(step) - levelOf(other)
}

/** What leads from a call's selector to its function is of the function's own level. */
function levelOf({ inner, running }: DebugStep): number {
  return isCreation(running.frame) ? inner : Math.max(1, inner)
}

/** What a frame's account has shown of its storage up to a step, each slot with its last value. */
export function storageUpTo(steps: readonly DebugStep[], at: number): Map<Hex, Hex> {
  const { account } = steps[at]!.running
  const slots = new Map<Hex, Hex>()
  for (const [index, { step, running }] of steps.slice(0, at).entries()) {
    if (running.account !== account) continue
    const [key, value] = [step.stack.at(-1)!, step.stack.at(-2)!]
    if (step.op === 'SSTORE') slots.set(key, value)
    // What was read lies on the stack of the next step, if the gas was enough.
    const next = steps[index + 1]!
    if (step.op === 'SLOAD' && next.running === running) slots.set(key, next.step.stack.at(-1)!)
  }
  return slots
}
