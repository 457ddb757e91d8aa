// The loop. What an opcode needs lies in locals while a frame runs, and in the frame while it waits. Any
// opcode can stop before it has changed anything, and begin again when `run` is called the next time.
// Gas and stack are checked once for each block of code (code-analysis.ts); only where they do not suffice
// for all of it, opcode by opcode, so that it ends where it must.
import {
  addModulo,
  divide,
  fillWith,
  modulo,
  multiply,
  multiplyModulo,
  signedDivide,
  signedModulo,
  signExtend,
} from './arithmetic'
import { blockGas, fitsStack } from './code-analysis'
import { Environment, environment } from './environment'
import { Exit, isWait } from './exit'
import { depth, Frame, frameAt, heldGas, topFrame } from './frame'
import { endFrame, returnToCaller } from './frame-end'
import { fixedRangeGas, memoryEnd, UNPAYABLE } from './gas'
import { OPCODE_TABLE } from './generated/opcode-table'
import { dynamicGas, perform } from './operation'
import { returnedLength } from './returned'
import {
  add,
  and,
  copy,
  equal,
  fromBytes,
  isNegative,
  isSmall,
  isZero,
  leadingZeros,
  lessThan,
  not,
  or,
  set,
  setSmall,
  shiftLeft,
  shiftRight,
  shiftRightSigned,
  signedLessThan,
  sub,
  toBytes,
  xor,
} from './word'

/** How the loop runs: through, or with a stop at each frame and each opcode. */
type Through = u32
type Stepwise = u8

/** Bytes of a full stack. */
const STACK_BYTES: u32 = 1024 << 5
const JUMPDEST_GAS: i64 = 1

/** The least stack in the table of what is no opcode. */
const NO_OPCODE: u32 = 0xffff

/** What the opcode that is about to run costs. Only stepwise. */
export let stepCost: i64 = 0

/** Where a stepwise run is: how deep it has told of frames, and what it has told of the topmost. */
let reportedDepth: i32 = -1
let isStepReported = false
let isEndReported = false

export function startRun(): void {
  reportedDepth = -1
  isStepReported = false
  isEndReported = false
}

/**
 * Runs until the message ends, or the host has something to do.
 * @param budget gas of the message, from its beginning, after which it stops with PAUSE where it can
 */
export function run(budget: i64): Exit {
  return interpret<Through>(budget)
}

/** The same with a stop before each opcode, and where frames begin and end. */
export function step(): Exit {
  if (isEndReported) {
    if (depth == 0) return topFrame().exit
    isEndReported = false
    returnToCaller()
    reportedDepth = depth
  }
  return interpret<Stepwise>(UNPAYABLE)
}

function interpret<Pace>(budget: i64): Exit {
  const stepwise = sizeof<Pace>() == sizeof<Stepwise>()
  const pauseBelow = frameAt(0).startGas - budget
  for (;;) {
    const frame = topFrame()
    const code: usize = frame.code
    let ip: usize = code + frame.pc
    let sp: usize = frame.stackTop
    const base: usize = frame.stackBase
    const memoryAt: usize = frame.memory
    let memorySize = frame.memorySize
    const blocks = frame.blocks
    let gas = frame.gas
    const pauseAt = pauseBelow - heldGas
    if (stepwise && depth > reportedDepth) {
      reportedDepth = depth
      return Exit.ENTER
    }
    // Some frames are over before they begin, and precompiles run elsewhere.
    let exit = frame.exit
    if (frame.isPrecompile && exit == Exit.NONE) return Exit.PRECOMPILE

    // A block.
    let isLeft = false
    while (exit == Exit.NONE && !isLeft) {
      const block = load<u32>(blocks + ((ip - code) << 2))
      const isPaid =
        !stepwise &&
        gas >= blockGas(block) &&
        fitsStack(block, <u32>(sp - base), STACK_BYTES)
      if (isPaid) gas -= blockGas(block)
      // An opcode of it.
      for (;;) {
        const opcode = <u32>load<u8>(ip)
        if (stepwise && !isStepReported && frame.codeLength) {
          frame.pc = <u32>(ip - code)
          frame.stackTop = <u32>sp
          frame.gas = gas
          const missing = reckonStep(opcode, <u32>(sp - base), frame)
          if (missing) return missing
          isStepReported = true
          return Exit.STEP
        }
        if (stepwise) isStepReported = false
        if (!isPaid) {
          gas -= staticGas(opcode)
          if (gas < 0) {
            exit = Exit.OUT_OF_GAS
            break
          }
          if (!isFit(opcode, <u32>(sp - base))) {
            exit = stackFault(opcode, <u32>(sp - base))
            break
          }
        }
        switch (opcode) {
          case 0x00: // STOP
            frame.gas = gas
            exit = Exit.STOP
            break
          case 0x01: // ADD
            add(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x02: // MUL
            multiply(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x03: // SUB
            sub(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x04: // DIV
            divide(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x05: // SDIV
            signedDivide(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x06: // MOD
            modulo(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x07: // SMOD
            signedModulo(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x08: // ADDMOD
            addModulo(sp - 32, sp - 64, sp - 96, sp - 96)
            sp -= 64
            ip++
            continue
          case 0x09: // MULMOD
            multiplyModulo(sp - 32, sp - 64, sp - 96, sp - 96)
            sp -= 64
            ip++
            continue
          case 0x0b: // SIGNEXTEND
            if (isSmall(sp - 32) && load<u32>(sp - 32) < 31) signExtend(load<u32>(sp - 32), sp - 64)
            sp -= 32
            ip++
            continue
          case 0x10: // LT
            setSmall(sp - 64, u64(lessThan(sp - 32, sp - 64)))
            sp -= 32
            ip++
            continue
          case 0x11: // GT
            setSmall(sp - 64, u64(lessThan(sp - 64, sp - 32)))
            sp -= 32
            ip++
            continue
          case 0x12: // SLT
            setSmall(sp - 64, u64(signedLessThan(sp - 32, sp - 64)))
            sp -= 32
            ip++
            continue
          case 0x13: // SGT
            setSmall(sp - 64, u64(signedLessThan(sp - 64, sp - 32)))
            sp -= 32
            ip++
            continue
          case 0x14: // EQ
            setSmall(sp - 64, u64(equal(sp - 64, sp - 32)))
            sp -= 32
            ip++
            continue
          case 0x15: // ISZERO
            setSmall(sp - 32, u64(isZero(sp - 32)))
            ip++
            continue
          case 0x16: // AND
            and(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x17: // OR
            or(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x18: // XOR
            xor(sp - 32, sp - 64, sp - 64)
            sp -= 32
            ip++
            continue
          case 0x19: // NOT
            not(sp - 32, sp - 32)
            ip++
            continue
          case 0x1a: { // BYTE
            const isInside = isSmall(sp - 32) && load<u32>(sp - 32) < 32
            const byte = isInside ? <u64>load<u8>(sp - 64 + 31 - load<u32>(sp - 32)) : 0
            setSmall(sp - 64, byte)
            sp -= 32
            ip++
            continue
          }
          case 0x1b: // SHL
            if (isShift(sp - 32)) shiftLeft(sp - 64, load<u32>(sp - 32), sp - 64)
            else setSmall(sp - 64, 0)
            sp -= 32
            ip++
            continue
          case 0x1c: // SHR
            if (isShift(sp - 32)) shiftRight(sp - 64, load<u32>(sp - 32), sp - 64)
            else setSmall(sp - 64, 0)
            sp -= 32
            ip++
            continue
          case 0x1d: // SAR
            if (isShift(sp - 32)) shiftRightSigned(sp - 64, load<u32>(sp - 32), sp - 64)
            else fillWith(isNegative(sp - 64), sp - 64)
            sp -= 32
            ip++
            continue
          case 0x1e: // CLZ
            if (isUnknown(opcode)) {
              exit = Exit.INVALID_OPCODE
              break
            }
            setSmall(sp - 32, leadingZeros(sp - 32))
            ip++
            continue
          case 0x30: // ADDRESS
            copy(sp, frame.account.address)
            sp += 32
            ip++
            continue
          case 0x32: // ORIGIN
            copy(sp, environment(Environment.ORIGIN))
            sp += 32
            ip++
            continue
          case 0x33: // CALLER
            copy(sp, frame.caller)
            sp += 32
            ip++
            continue
          case 0x34: // CALLVALUE
            copy(sp, frame.value)
            sp += 32
            ip++
            continue
          case 0x35: // CALLDATALOAD
            loadInput(frame, sp - 32)
            ip++
            continue
          case 0x36: // CALLDATASIZE
            setSmall(sp, frame.inputLength)
            sp += 32
            ip++
            continue
          case 0x38: // CODESIZE
            setSmall(sp, frame.codeLength)
            sp += 32
            ip++
            continue
          case 0x3a: // GASPRICE
            copy(sp, environment(Environment.GAS_PRICE))
            sp += 32
            ip++
            continue
          case 0x3d: // RETURNDATASIZE
            setSmall(sp, returnedLength)
            sp += 32
            ip++
            continue
          case 0x41: // COINBASE
          case 0x42: // TIMESTAMP
          case 0x43: // NUMBER
          case 0x44: // PREVRANDAO
          case 0x45: // GASLIMIT
          case 0x46: // CHAINID
            copy(sp, environment(<Environment>(Environment.COINBASE + (opcode - 0x41))))
            sp += 32
            ip++
            continue
          case 0x48: // BASEFEE
            copy(sp, environment(Environment.BASE_FEE))
            sp += 32
            ip++
            continue
          case 0x49: // BLOBHASH: no transaction of L2 has blobs (OP spec, Ecotone)
            setSmall(sp - 32, 0)
            ip++
            continue
          case 0x4a: // BLOBBASEFEE
            copy(sp, environment(Environment.BLOB_BASE_FEE))
            sp += 32
            ip++
            continue
          case 0x50: // POP
            sp -= 32
            ip++
            continue
          case 0x51: // MLOAD
          case 0x52: // MSTORE
          case 0x53: { // MSTORE8
            const offset = load<u32>(sp - 32)
            const length: u32 = opcode == 0x53 ? 1 : 32
            if (!isSmall(sp - 32) || <u64>offset + length > <u64>memorySize) {
              // Memory has to grow. Who cannot pay for it beside what is paid already cannot pay for the block.
              const cost = fixedRangeGas(frame, sp - 32, length)
              if (cost > gas) {
                exit = Exit.OUT_OF_GAS
                break
              }
              gas -= cost
              frame.pc = <u32>(ip - code)
              frame.extendMemory(memoryEnd)
              memorySize = frame.memorySize
            }
            ip++
            if (opcode == 0x51) {
              fromBytes(memoryAt + offset, sp - 32)
              continue
            }
            if (opcode == 0x52) toBytes(sp - 64, memoryAt + offset)
            else store<u8>(memoryAt + offset, load<u8>(sp - 64))
            sp -= 64
            continue
          }
          case 0x56: { // JUMP
            const target = load<u32>(sp - 32)
            if (!isSmall(sp - 32) || !isJumpDestination(frame, target)) {
              exit = Exit.INVALID_JUMP
              break
            }
            sp -= 32
            ip = code + target
            continue
          }
          case 0x57: { // JUMPI
            if (isZero(sp - 64)) {
              sp -= 64
              ip++
              break
            }
            const target = load<u32>(sp - 32)
            if (!isSmall(sp - 32) || !isJumpDestination(frame, target)) {
              exit = Exit.INVALID_JUMP
              break
            }
            sp -= 64
            ip = code + target
            continue
          }
          case 0x58: // PC
            setSmall(sp, ip - code)
            sp += 32
            ip++
            continue
          case 0x59: // MSIZE
            setSmall(sp, memorySize)
            sp += 32
            ip++
            continue
          case 0x5a: // GAS
            setSmall(sp, gas)
            sp += 32
            ip++
            break
          case 0x5b: // JUMPDEST: no block knows of it
            if (isPaid) gas -= JUMPDEST_GAS
            if (gas < pauseAt) exit = Exit.PAUSE
            else ip++
            break
          case 0x5f: // PUSH0
            setSmall(sp, 0)
            sp += 32
            ip++
            continue
          case 0x60: // PUSH1
            setSmall(sp, load<u8>(ip, 1))
            sp += 32
            ip += 2
            continue
          case 0x61: { // PUSH2
            const value = <u32>bswap<u16>(load<u16>(ip, 1))
            if (isPaid) {
              // Most are where a jump goes to.
              const next = load<u8>(ip, 3)
              if (next == 0x57 && isZero(sp - 32)) {
                sp -= 32
                ip += 4
                break
              }
              if (next == 0x56 || next == 0x57) {
                if (!isJumpDestination(frame, value)) {
                  exit = Exit.INVALID_JUMP
                  break
                }
                if (next == 0x57) sp -= 32
                ip = code + value
                continue
              }
            }
            setSmall(sp, value)
            sp += 32
            ip += 3
            continue
          }
          case 0x62: // PUSH3
          case 0x63:
          case 0x64:
          case 0x65:
          case 0x66:
          case 0x67: { // PUSH8
            const length = <u64>opcode - 0x5f
            setSmall(sp, bswap<u64>(load<u64>(ip, 1)) >> (64 - (length << 3)))
            sp += 32
            ip += <usize>length + 1
            continue
          }
          case 0x68: // PUSH9
          case 0x69:
          case 0x6a:
          case 0x6b:
          case 0x6c:
          case 0x6d:
          case 0x6e:
          case 0x6f:
          case 0x70:
          case 0x71:
          case 0x72:
          case 0x73:
          case 0x74:
          case 0x75:
          case 0x76:
          case 0x77:
          case 0x78:
          case 0x79:
          case 0x7a:
          case 0x7b:
          case 0x7c:
          case 0x7d:
          case 0x7e: { // PUSH31
            const length = opcode - 0x5f
            fromBytes(ip + 1, sp)
            shiftRight(sp, (32 - length) << 3, sp)
            sp += 32
            ip += length + 1
            continue
          }
          case 0x7f: // PUSH32
            fromBytes(ip + 1, sp)
            sp += 32
            ip += 33
            continue
          case 0x80: // DUP1
          case 0x81:
          case 0x82:
          case 0x83:
          case 0x84:
          case 0x85:
          case 0x86:
          case 0x87:
          case 0x88:
          case 0x89:
          case 0x8a:
          case 0x8b:
          case 0x8c:
          case 0x8d:
          case 0x8e:
          case 0x8f: // DUP16
            copy(sp, sp - (<usize>(opcode - 0x7f) << 5))
            sp += 32
            ip++
            continue
          case 0x90: // SWAP1
          case 0x91:
          case 0x92:
          case 0x93:
          case 0x94:
          case 0x95:
          case 0x96:
          case 0x97:
          case 0x98:
          case 0x99:
          case 0x9a:
          case 0x9b:
          case 0x9c:
          case 0x9d:
          case 0x9e:
          case 0x9f: { // SWAP16
            const other = sp - (<usize>(opcode - 0x8e) << 5)
            const low = v128.load(other)
            const high = v128.load(other, 16)
            copy(other, sp - 32)
            v128.store(sp - 32, low)
            v128.store(sp - 16, high)
            ip++
            continue
          }
          default: {
            if (gas < pauseAt) {
              exit = Exit.PAUSE
              break
            }
            // Everything else works on the frame, not on the locals; the frame on top is loaded anew.
            frame.pc = <u32>(ip - code)
            frame.stackTop = <u32>sp
            frame.gas = gas
            isLeft = true
            const cost = dynamicGas(opcode, frame)
            if (cost < 0) exit = <Exit>(-cost)
            else if (cost > gas) exit = Exit.OUT_OF_GAS
            else {
              frame.gas = gas - cost
              exit = perform(opcode, frame)
            }
          }
        }
        break
      }
    }
    if (exit == Exit.NONE) continue
    if (isWait(exit)) {
      // The opcode gives back what it has taken so far, and begins again.
      frame.pc = <u32>(ip - code)
      frame.stackTop = <u32>sp
      frame.gas = gas + staticGas(load<u8>(ip))
      frame.memorySize = memorySize
      if (stepwise) isStepReported = true
      return exit
    }
    endFrame(frame, exit)
    if (stepwise) {
      isEndReported = true
      isStepReported = false
      return Exit.LEAVE
    }
    if (depth == 0) break
    returnToCaller()
  }
  return topFrame().exit
}

/** Tells in `stepCost` what an opcode will cost, as far as its operands are there. */
function reckonStep(opcode: u32, stackBytes: u32, frame: Frame): Exit {
  stepCost = staticGas(opcode)
  if (!isFit(opcode, stackBytes)) return Exit.NONE
  frame.gas -= stepCost
  const more = dynamicGas(opcode, frame)
  frame.gas += stepCost
  if (more < 0) return isWait(<Exit>(-more)) ? <Exit>(-more) : Exit.NONE
  stepCost += more
  return Exit.NONE
}

// @ts-ignore: decorator
@inline
function entryOf(opcode: u32): u64 {
  return load<u64>(OPCODE_TABLE + (<usize>opcode << 3))
}

function staticGas(opcode: u32): i64 {
  return <i64>(entryOf(opcode) & 0xffffffff)
}

function leastStack(opcode: u32): u32 {
  return <u32>(entryOf(opcode) >> 32) & 0xffff
}

/** Whether there are enough words on the stack, and not too many. */
function isFit(opcode: u32, stackBytes: u32): bool {
  return stackBytes - leastStack(opcode) <= <u32>(entryOf(opcode) >> 48)
}

/** Whether it is no opcode by the rules of the message. */
function isUnknown(opcode: u32): bool {
  return leastStack(opcode) == NO_OPCODE
}

function stackFault(opcode: u32, stackBytes: u32): Exit {
  if (isUnknown(opcode)) return Exit.INVALID_OPCODE
  return stackBytes < leastStack(opcode) ? Exit.STACK_UNDERFLOW : Exit.STACK_OVERFLOW
}

function isShift(word: usize): bool {
  return isSmall(word) && load<u32>(word) < 256
}

// @ts-ignore: decorator
@inline
function isJumpDestination(frame: Frame, target: u32): bool {
  return (
    target < frame.codeLength &&
    ((load<u8>(frame.jumps + (target >> 3)) >> <u8>(target & 7)) & 1) != 0
  )
}

/** CALLDATALOAD: beyond the input come zeros. */
function loadInput(frame: Frame, word: usize): void {
  const length = frame.inputLength
  const offset = load<u32>(word)
  if (!isSmall(word) || offset >= length) {
    setSmall(word, 0)
    return
  }
  const from = <usize>frame.input + offset
  if (<u64>offset + 32 <= <u64>length) {
    fromBytes(from, word)
    return
  }
  set(inputTail, 0, 0, 0, 0)
  memory.copy(inputTail, from, length - offset)
  fromBytes(inputTail, word)
}

const inputTail: usize = memory.data(32, 16)
