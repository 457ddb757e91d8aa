// A frame: one call or creation that runs. All of them lie one behind the other, and so do their
// stacks and memories, so that calling needs no recursion and no allocation.
import { Account } from './account'
import { codeLength } from './code'
import { blocksOf, jumpsOf } from './code-analysis'
import { Exit } from './exit'
import { FRAME_BYTES, FRAMES, MEMORY, needMemory, STACK } from './layout'

export const enum FrameKind {
  CALL = 0xf1,
  CALLCODE = 0xf2,
  DELEGATECALL = 0xf4,
  STATICCALL = 0xfa,
  CREATE = 0xf0,
  CREATE2 = 0xf5,
}

/** Of the frame that runs; -1 when none does. */
export let depth: i32 = -1
/** What is left of the gas of those that wait. */
export let heldGas: i64 = 0

@unmanaged
export class Frame {
  /** What runs; of a creation in its own memory. */
  code: u32
  codeLength: u32
  pc: u32
  /** Behind the topmost word. */
  stackTop: u32
  stackBase: u32
  /** Where its memory lies, and how much there is: whole words. */
  memory: u32
  memorySize: u32
  kind: FrameKind
  isStatic: u32
  isPrecompile: u32
  input: u32
  inputLength: u32
  /** Where in the caller's memory what it gives back goes. */
  outputOffset: u32
  outputLength: u32
  /** Whose storage and balance it works on. */
  account: Account
  /** Whose code it runs. */
  codeAccount: Account
  gas: i64
  /** What it had at first. */
  startGas: i64
  /** Where journal, logs and refund were when it began. */
  journalMark: u32
  logsMark: u32
  refundMark: i64
  /** How it ended, and what it gives back. */
  exit: Exit
  result: u32
  resultLength: u32

  get caller(): usize {
    return changetype<usize>(this) + 160
  }

  get value(): usize {
    return changetype<usize>(this) + 192
  }

  get isCreation(): bool {
    return this.kind == FrameKind.CREATE || this.kind == FrameKind.CREATE2
  }

  get jumps(): usize {
    return jumpsOf(this.code, this.codeLength)
  }

  get blocks(): usize {
    return blocksOf(this.code, this.codeLength)
  }

  useCode(code: usize): void {
    this.code = <u32>code
    this.codeLength = codeLength(code)
  }

  /** Makes its memory so long; what is new is zero. It has been paid for. */
  extendMemory(end: u32): void {
    if (end <= this.memorySize) return
    const size = (end + 31) & ~31
    needMemory(<usize>this.memory + size)
    memory.fill(<usize>this.memory + this.memorySize, 0, size - this.memorySize)
    this.memorySize = size
  }
}

// @ts-ignore: decorator
@inline
export function frameAt(depth: i32): Frame {
  return changetype<Frame>(FRAMES + <usize>depth * FRAME_BYTES)
}

// @ts-ignore: decorator
@inline
export function topFrame(): Frame {
  return frameAt(depth)
}

export function clearFrames(): void {
  depth = -1
  heldGas = 0
}

/** A new frame on top, its stack and memory behind those of the one before; all else is zero. */
export function pushFrame(): Frame {
  const frame = frameAt(depth + 1)
  memory.fill(changetype<usize>(frame), 0, FRAME_BYTES)
  if (depth < 0) {
    frame.stackBase = <u32>STACK
    frame.memory = <u32>MEMORY
  } else {
    const below = topFrame()
    heldGas += below.gas
    frame.stackBase = below.stackTop
    frame.memory = (below.memory + below.memorySize + 63) & ~63
  }
  frame.stackTop = frame.stackBase
  depth++
  return frame
}

/** Takes the topmost frame away; tells the one below it. */
export function popFrame(): Frame {
  depth--
  const below = topFrame()
  heldGas -= below.gas
  return below
}
