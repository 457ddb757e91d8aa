import { OPCODES } from '#protocol/evm/opcodes'
import type { FrameEnd, FrameStart, Step, Tracer } from '#protocol/execution/tracer'
import type { Address } from '#protocol/types/bytes'
import type { BlockCountKind, BlockCountUse } from './block-count.ts'
import { ARITHMETIC, bitsOf, comparedBlocks, some } from './followed-arithmetic.ts'
import { FollowedMemory } from './followed-memory.ts'
import {
  BLOCK_NUMBER,
  BLOCK_SECOND,
  type FollowedWord,
  isSecond,
  NOTHING,
  type Operand,
  readFrom,
  valuePart,
} from './followed-word.ts'

const [MUL, DIV, SDIV, MOD, SMOD] = [0x02, 0x04, 0x05, 0x06, 0x07]
const [LT, EQ, ISZERO, KECCAK256] = [0x10, 0x14, 0x15, 0x20]
const [CALLDATALOAD, CALLDATACOPY, CODECOPY, EXTCODECOPY, RETURNDATACOPY] = [
  0x35, 0x37, 0x39, 0x3c, 0x3e,
]
const [BLOCKHASH, TIMESTAMP, NUMBER] = [0x40, 0x42, 0x43]
const [MLOAD, MSTORE, MSTORE8, SLOAD, SSTORE, TLOAD, TSTORE, MCOPY] = [
  0x51, 0x52, 0x53, 0x54, 0x55, 0x5c, 0x5d, 0x5e,
]
const [JUMP, JUMPI] = [0x56, 0x57]
const [DUP1, DUP16, SWAP1, SWAP16] = [0x80, 0x8f, 0x90, 0x9f]
const [CREATE, CALL, CALLCODE, RETURN, DELEGATECALL, CREATE2, STATICCALL, REVERT] = [
  0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xfa, 0xfd,
]

/** Those that do something with what is followed beside the stack. */
const BESIDE_STACK = new Set([
  ...[CALLDATALOAD, CALLDATACOPY, CODECOPY, EXTCODECOPY, RETURNDATACOPY, NUMBER, MLOAD, MSTORE],
  ...[MSTORE8, SLOAD, SSTORE, TLOAD, TSTORE, MCOPY, CREATE, CALL, CALLCODE, RETURN, DELEGATECALL],
  ...[CREATE2, STATICCALL, REVERT, TIMESTAMP, KECCAK256],
])

const WORD_BYTES = 32n
/** Jumps that are remembered: those of an addition and of what called it. */
const MOST_JUMPS = 8

interface Frame {
  code: Address
  isCreation: boolean
  /** By place; as long as the highest word that is followed. */
  stack: FollowedWord[]
  memory: FollowedMemory
  input: FollowedMemory
  /** What the last inner call gave back. */
  returned: FollowedMemory
  /** What it gives back itself. */
  output: FollowedMemory
  /** An inner call that is about to begin, and where its output goes. */
  calling: { input: FollowedMemory; to: bigint; length: bigint } | undefined
  /** The last jumps, newest first. */
  jumps: number[]
  /** Where it last asked for the time: no source map knows where a compiler hashes a key. */
  askedTime: number | undefined
  /** How many writes were kept before it. */
  writesBefore: number
}

/**
 * Follows what NUMBER and TIMESTAMP answered through stack, memory, calls and storage, over all transactions of
 * a chain in their order, and tells where the one is taken for a time, and the other for a block. A
 * transaction at a time; what a reverted call wrote is forgotten, what it compared is not.
 * @example
 * const follower = new NumberFollower((use) => uses.push(use))
 * for (const transaction of block.transactions) await open.execute(transaction, follower)
 */
export class NumberFollower implements Tracer {
  /** Of the block whose transactions are executed. */
  number = 0n
  readonly #onUse: (use: BlockCountUse) => void
  readonly #kept = new Map<string, FollowedWord>()
  readonly #transient = new Map<string, FollowedWord>()
  #writes: { words: Map<string, FollowedWord>; key: string; before: FollowedWord }[] = []
  #frames: Frame[] = []

  constructor(onUse: (use: BlockCountUse) => void) {
    this.#onUse = onUse
  }

  onStart(): void {
    this.#transient.clear()
    this.#writes = []
    this.#frames = []
  }

  onEnter({ type, to }: FrameStart): void {
    this.#frames.push({
      code: to,
      isCreation: type === 'CREATE' || type === 'CREATE2',
      stack: [],
      memory: new FollowedMemory(),
      input: this.#frames.at(-1)?.calling?.input ?? new FollowedMemory(),
      returned: new FollowedMemory(),
      output: new FollowedMemory(),
      calling: undefined,
      jumps: [],
      askedTime: undefined,
      writesBefore: this.#writes.length,
    })
  }

  onExit({ error }: FrameEnd): void {
    const { output, writesBefore } = this.#frames.pop()!
    if (error) this.#undo(writesBefore)
    const caller = this.#frames.at(-1)
    if (!caller?.calling) return
    const { to, length } = caller.calling
    caller.memory.copy(to, output, 0n, length)
    caller.returned = output
    caller.calling = undefined
  }

  onStep(step: Step): void {
    const frame = this.#frames.at(-1)!
    if (step.op === JUMP || step.op === JUMPI) {
      frame.jumps = [step.pc, ...frame.jumps.slice(0, MOST_JUMPS - 1)]
    }
    if (step.op === TIMESTAMP) frame.askedTime = step.pc
    if (frame.stack.length === 0 && !BESIDE_STACK.has(step.op)) return
    const { stack } = step
    const height = stack.length
    const { takes = 0, gives = 0 } = OPCODES[step.op] ?? {}
    const operand = (index: number): Operand => {
      const at = height - 1 - index
      return { value: stack[at] ?? 0n, followed: frame.stack[at] ?? NOTHING }
    }
    if (step.op >= SWAP1 && step.op <= SWAP16) {
      const [top, other] = [height - 1, height - 1 - (step.op - SWAP1 + 1)]
      const [one, two] = [frame.stack[top] ?? NOTHING, frame.stack[other] ?? NOTHING]
      place(frame.stack, top, two)
      place(frame.stack, other, one)
      return
    }
    if (step.op >= DUP1 && step.op <= DUP16) {
      place(frame.stack, height, operand(step.op - DUP1).followed)
      return
    }
    this.#tellUse(step, frame, operand)
    const result = this.#result(step, frame, operand)
    cut(frame.stack, height - takes)
    if (gives > 0) place(frame.stack, height - takes, result)
  }

  /** What the opcode leaves on the stack, and does beside it. */
  #result({ op, address }: Step, frame: Frame, operand: (index: number) => Operand): FollowedWord {
    const [first, second, third] = [operand(0), operand(1), operand(2)]
    const { memory } = frame
    switch (op) {
      case NUMBER:
        return BLOCK_NUMBER
      case TIMESTAMP:
        return BLOCK_SECOND
      case CALLDATALOAD:
        return frame.input.word(first.value)
      case MLOAD:
        return memory.word(first.value)
      case MSTORE:
        memory.setWord(first.value, second.followed)
        return NOTHING
      case MSTORE8:
        memory.clear(first.value, 1n)
        return NOTHING
      case CALLDATACOPY:
        memory.copy(first.value, frame.input, second.value, third.value)
        return NOTHING
      case RETURNDATACOPY:
        memory.copy(first.value, frame.returned, second.value, third.value)
        return NOTHING
      case MCOPY:
        memory.copy(first.value, memory, second.value, third.value)
        return NOTHING
      case CODECOPY:
        memory.clear(first.value, third.value)
        return NOTHING
      case EXTCODECOPY:
        memory.clear(second.value, operand(3).value)
        return NOTHING
      case SLOAD:
        return this.#load(this.#kept, address, first.value)
      case TLOAD:
        return this.#load(this.#transient, address, first.value)
      case SSTORE:
        this.#store(this.#kept, address, first.value, second.followed)
        return NOTHING
      case TSTORE:
        this.#store(this.#transient, address, first.value, second.followed)
        return NOTHING
      case RETURN:
      case REVERT:
        frame.output = memory.slice(first.value, second.value)
        return NOTHING
      case CREATE:
      case CREATE2:
        frame.calling = { input: new FollowedMemory(), to: 0n, length: 0n }
        return NOTHING
      case CALL:
      case CALLCODE:
        return call(frame, operand, 3)
      case DELEGATECALL:
      case STATICCALL:
        return call(frame, operand, 2)
      default:
        return ARITHMETIC[op]?.(first, second) ?? NOTHING
    }
  }

  #tellUse(step: Step, frame: Frame, operand: (index: number) => Operand): void {
    const use =
      step.op === KECCAK256
        ? keyOf(frame.memory, operand(0).value, operand(1).value)
        : usesOf(step.op, operand(0), operand(1), this.number)
    if (!use) return
    const { code: address, isCreation, jumps, askedTime } = frame
    const isSecondOfNow = use.kind === 'second' && askedTime !== undefined
    const cameFrom = isSecondOfNow ? [...jumps, askedTime] : jumps
    this.#onUse({ ...use, address, pc: step.pc, isCreation, cameFrom })
  }

  #load(words: Map<string, FollowedWord>, address: Address, slot: bigint): FollowedWord {
    const key = `${address} ${slot}`
    return readFrom(key, words.get(key) ?? NOTHING)
  }

  #store(
    words: Map<string, FollowedWord>,
    address: Address,
    slot: bigint,
    word: FollowedWord,
  ): void {
    const key = `${address} ${slot}`
    const before = words.get(key) ?? NOTHING
    if (before.length === 0 && word.length === 0) return
    this.#writes.push({ words, key, before })
    words.set(key, word)
  }

  #undo(count: number): void {
    for (const { words, key, before } of this.#writes.splice(count).reverse())
      words.set(key, before)
  }
}

/** @param at which operand says where the input lies; its length, and the output's place, follow */
function call(frame: Frame, operand: (index: number) => Operand, at: number): FollowedWord {
  const [offset, length, to, room] = [0, 1, 2, 3].map((index) => operand(at + index).value)
  frame.calling = { input: frame.memory.slice(offset!, length!), to: to!, length: room! }
  frame.returned = new FollowedMemory()
  return NOTHING
}

/** What an opcode takes for a time. */
function usesOf(
  op: number,
  first: Operand,
  second: Operand,
  number: bigint,
): { kind: BlockCountKind; blocks: bigint | undefined } | undefined {
  if (op >= LT && op <= EQ) return counted('compared', comparedBlocks(first, second))
  if (op === ISZERO) return counted('compared', comparedBlocks(first, { value: 0n, followed: [] }))
  if (op === SSTORE) {
    const added = second.followed.filter(({ kind }) => kind === 'height').map((part) => part.added)
    return counted(
      'kept',
      added.map((blocks) => (blocks > 0n ? some(blocks) : undefined)).find(Boolean),
    )
  }
  if (op === MUL) {
    const [word, by] = valuePart(first) ? [first, second] : [second, first]
    return valuePart(word) && bitsOf(by.value) === undefined && by.value !== 1n
      ? { kind: 'rate', blocks: undefined }
      : undefined
  }
  if (op === DIV || op === SDIV || op === MOD || op === SMOD) return divided(first, second)
  if (op === BLOCKHASH && valuePart(first)) return counted('hash', some(number - first.value))
  return undefined
}

/** A key and the slot of a mapping, in the order of either compiler: their hash is where the value lies. */
function keyOf(memory: FollowedMemory, offset: bigint, length: bigint) {
  const words = [memory.word(offset), memory.word(offset + WORD_BYTES)]
  return length === 2n * WORD_BYTES && words.some(isSecond)
    ? ({ kind: 'second', blocks: undefined } as const)
    : undefined
}

function divided(first: Operand, second: Operand) {
  const [of, by] = [valuePart(first), valuePart(second)]
  if (of && !by)
    return bitsOf(second.value) === undefined ? counted('period', some(second.value)) : undefined
  return by?.kind === 'span' && !of ? ({ kind: 'rate', blocks: undefined } as const) : undefined
}

function counted(kind: BlockCountKind, blocks: bigint | undefined) {
  return blocks === undefined ? undefined : { kind, blocks }
}

/** Puts a word in its place; the list stays as short as it can be. */
function place(stack: FollowedWord[], at: number, word: FollowedWord): void {
  if (word.length === 0 && at >= stack.length) return
  while (stack.length < at) stack.push(NOTHING)
  stack[at] = word
  trim(stack)
}

function cut(stack: FollowedWord[], length: number): void {
  if (stack.length > length) stack.length = length
  trim(stack)
}

function trim(stack: FollowedWord[]): void {
  while (stack.length > 0 && stack.at(-1)!.length === 0) stack.pop()
}
