// What moves bytes: the copies, KECCAK256, LOG. MLOAD and MSTORE are in the interpreter's loop.
import { Exit } from './exit'
import { Frame } from './frame'
import { memoryEnd, rangeGas, rangesGas, UNPAYABLE, wordsGas } from './gas'
import { keccak256 } from './keccak256'
import { addLog } from './log'
import { fromBytes, isSmall } from './word'

/** Of all that takes offset in memory, offset elsewhere, length. */
export function copyGas(frame: Frame): i64 {
  const top = <usize>frame.stackTop
  const words = wordsGas(top - 96, 3)
  const range = rangeGas(frame, top - 32, top - 96)
  return words == UNPAYABLE || range == UNPAYABLE ? UNPAYABLE : words + range
}

/** EIP-5656: both ends may be what makes memory grow. */
export function mcopyGas(frame: Frame): i64 {
  const top = <usize>frame.stackTop
  const words = wordsGas(top - 96, 3)
  const ranges = rangesGas(frame, top - 32, top - 96, top - 64, top - 96)
  return words == UNPAYABLE || ranges == UNPAYABLE ? UNPAYABLE : words + ranges
}

export function mcopy(frame: Frame): Exit {
  const top = <usize>frame.stackTop
  const length = load<u32>(top - 96)
  frame.extendMemory(memoryEnd)
  if (length) {
    const memoryAt = <usize>frame.memory
    memory.copy(memoryAt + load<u32>(top - 32), memoryAt + load<u32>(top - 64), length)
  }
  frame.stackTop -= 96
  return Exit.NONE
}

/** CALLDATACOPY, CODECOPY. */
export function copyFrom(frame: Frame, source: usize, sourceLength: u32): Exit {
  frame.extendMemory(memoryEnd)
  copyPadded(frame, <usize>frame.stackTop - 32, source, sourceLength)
  frame.stackTop -= 96
  return Exit.NONE
}

/**
 * Copies to memory as three words below `top` say: offset in memory, offset in the source, length.
 * Beyond the source come zeros.
 */
export function copyPadded(frame: Frame, top: usize, source: usize, sourceLength: u32): void {
  const length = load<u32>(top - 64)
  if (length == 0) return
  const to = <usize>frame.memory + load<u32>(top)
  let have: u32 = 0
  const offset = load<u32>(top - 32)
  if (isSmall(top - 32) && offset < sourceLength) {
    have = min(length, sourceLength - offset)
    memory.copy(to, source + offset, have)
  }
  memory.fill(to + have, 0, length - have)
}

export function keccakGas(frame: Frame): i64 {
  const top = <usize>frame.stackTop
  const words = wordsGas(top - 64, 6)
  const range = rangeGas(frame, top - 32, top - 64)
  return words == UNPAYABLE || range == UNPAYABLE ? UNPAYABLE : words + range
}

const digest: usize = memory.data(32, 16)

export function keccak(frame: Frame): Exit {
  const top = <usize>frame.stackTop
  const length = load<u32>(top - 64)
  frame.extendMemory(memoryEnd)
  const offset = length ? load<u32>(top - 32) : 0
  keccak256(<usize>frame.memory + offset, length, digest)
  fromBytes(digest, top - 64)
  frame.stackTop -= 32
  return Exit.NONE
}

/** 8 gas a byte; what is negative is an exit. */
export function logGas(frame: Frame): i64 {
  if (frame.isStatic) return -(<i64>Exit.STATIC_STATE_CHANGE)
  const top = <usize>frame.stackTop
  const range = rangeGas(frame, top - 32, top - 64)
  return range == UNPAYABLE || !isSmall(top - 64) ? UNPAYABLE : range + 8 * <i64>load<u32>(top - 64)
}

/** Takes offset and length, then the topics. */
export function log(frame: Frame, topics: u32): Exit {
  const top = <usize>frame.stackTop
  const length = load<u32>(top - 64)
  frame.extendMemory(memoryEnd)
  const offset = length ? load<u32>(top - 32) : 0
  const data = addLog(frame.account.address, topics, top - 96, length)
  memory.copy(data, <usize>frame.memory + offset, length)
  frame.stackTop -= 64 + (topics << 5)
  return Exit.NONE
}
