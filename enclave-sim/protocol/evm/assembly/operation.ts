// The opcodes that do not run in the interpreter's loop itself: first what they cost beside their static
// gas, without any effect, then what they do.
import { balance, extCodeCopy, extCodeCopyGas, extCodeHash, extCodeSize, selfBalance } from './account-opcodes'
import { byteLength, exponentiate } from './arithmetic'
import { call, callGas } from './call'
import { create, createGas } from './creation'
import { blockHash } from './environment'
import { Exit } from './exit'
import { Frame, FrameKind } from './frame'
import { accountGas, fixedRangeGas, memoryEnd, rangeGas } from './gas'
import {
  copyFrom,
  copyGas,
  keccak,
  keccakGas,
  log,
  logGas,
  mcopy,
  mcopyGas,
} from './memory-opcodes'
import { RETURNED } from './layout'
import { returnedLength } from './returned'
import { selfDestruct, selfDestructGas } from './self-destruct'
import { sload, sloadGas, sstore, sstoreGas, tload, tstore } from './storage'
import { isSmall, isZero } from './word'

/** EIP-160. */
const EXP_BYTE_GAS: i64 = 50

/**
 * What an opcode costs beside its static gas; the stack is fit for it. Nothing changes by asking. What
 * is negative is an exit: something forbidden, or something that the host has to tell first.
 */
export function dynamicGas(opcode: u32, frame: Frame): i64 {
  const top = <usize>frame.stackTop
  switch (opcode) {
    case 0x0a: // EXP
      return EXP_BYTE_GAS * <i64>byteLength(top - 64)
    case 0x20: // KECCAK256
      return keccakGas(frame)
    case 0x31: // BALANCE
    case 0x3b: // EXTCODESIZE
    case 0x3f: // EXTCODEHASH
      return accountGas(top - 32)
    case 0x37: // CALLDATACOPY
    case 0x39: // CODECOPY
      return copyGas(frame)
    case 0x3c: // EXTCODECOPY
      return extCodeCopyGas(frame)
    case 0x3e: // RETURNDATACOPY
      return returnDataCopyGas(frame)
    case 0x51: // MLOAD
    case 0x52: // MSTORE
      return fixedRangeGas(frame, top - 32, 32)
    case 0x53: // MSTORE8
      return fixedRangeGas(frame, top - 32, 1)
    case 0x54: // SLOAD
      return sloadGas(frame)
    case 0x55: // SSTORE
      return sstoreGas(frame)
    case 0x5e: // MCOPY
      return mcopyGas(frame)
    case 0xa0: // LOG0
    case 0xa1:
    case 0xa2:
    case 0xa3:
    case 0xa4: // LOG4
      return logGas(frame)
    case 0xf0: // CREATE
    case 0xf5: // CREATE2
      return createGas(frame, <FrameKind>opcode)
    case 0xf1: // CALL
    case 0xf2: // CALLCODE
    case 0xf4: // DELEGATECALL
    case 0xfa: // STATICCALL
      return callGas(frame, <FrameKind>opcode)
    case 0xf3: // RETURN
    case 0xfd: // REVERT
      return rangeGas(frame, top - 32, top - 64)
    case 0xff: // SELFDESTRUCT
      return selfDestructGas(frame)
    default:
      return 0
  }
}

/** Does what an opcode does, and moves the program counter behind it. */
export function perform(opcode: u32, frame: Frame): Exit {
  switch (opcode) {
    // These open a frame, and move the counter before.
    case 0xf0: // CREATE
    case 0xf5: // CREATE2
      return create(frame, <FrameKind>opcode)
    case 0xf1: // CALL
    case 0xf2: // CALLCODE
    case 0xf4: // DELEGATECALL
    case 0xfa: // STATICCALL
      return call(frame, <FrameKind>opcode)
    default: {
      const exit = effect(opcode, frame)
      if (exit == Exit.NONE) frame.pc++
      return exit
    }
  }
}

function effect(opcode: u32, frame: Frame): Exit {
  switch (opcode) {
    case 0x0a:
      return exp(frame)
    case 0x20:
      return keccak(frame)
    case 0x31:
      return balance(frame)
    case 0x37:
      return copyFrom(frame, frame.input, frame.inputLength)
    case 0x39:
      return copyFrom(frame, frame.code, frame.codeLength)
    case 0x3b:
      return extCodeSize(frame)
    case 0x3c:
      return extCodeCopy(frame)
    case 0x3e:
      return copyFrom(frame, RETURNED, returnedLength)
    case 0x3f:
      return extCodeHash(frame)
    case 0x40:
      return blockHash(frame)
    case 0x47:
      return selfBalance(frame)
    case 0x54:
      return sload(frame)
    case 0x55:
      return sstore(frame)
    case 0x5c:
      return tload(frame)
    case 0x5d:
      return tstore(frame)
    case 0x5e:
      return mcopy(frame)
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa3:
    case 0xa4:
      return log(frame, opcode - 0xa0)
    case 0xf3:
      return giveBack(frame, Exit.RETURN)
    case 0xfd:
      return giveBack(frame, Exit.REVERT)
    case 0xff:
      return selfDestruct(frame)
    default:
      return Exit.INVALID_OPCODE
  }
}

function exp(frame: Frame): Exit {
  const top = <usize>frame.stackTop
  exponentiate(top - 32, top - 64, top - 64)
  frame.stackTop -= 32
  return Exit.NONE
}

/** EIP-211: nothing may be read beyond what was given back. */
function returnDataCopyGas(frame: Frame): i64 {
  const offset = <usize>frame.stackTop - 64
  const length = <usize>frame.stackTop - 96
  const isInside =
    isSmall(offset) &&
    isSmall(length) &&
    <u64>load<u32>(offset) + load<u32>(length) <= <u64>returnedLength
  return isInside ? copyGas(frame) : -(<i64>Exit.RETURN_DATA_OUT_OF_BOUNDS)
}

function giveBack(frame: Frame, exit: Exit): Exit {
  const offset = <usize>frame.stackTop - 32
  const length = <usize>frame.stackTop - 64
  frame.extendMemory(memoryEnd)
  frame.resultLength = isZero(length) ? 0 : load<u32>(length)
  frame.result = frame.memory + (frame.resultLength ? load<u32>(offset) : 0)
  frame.stackTop -= 64
  return exit
}
