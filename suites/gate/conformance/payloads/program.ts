import { concatHex, encodeErrorResult, numberToHex, padHex, parseAbi, size, trim } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { ADDRESSED } from './accounts.ts'
import { slotWord } from './slot-word.ts'

/** Opcodes by their names in the Yellow Paper that a piece may have. */
export const BINARY = {
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
} as const
export const OWN = {
  ADDRESS: 0x30,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATASIZE: 0x36,
  CODESIZE: 0x38,
  RETURNDATASIZE: 0x3d,
  SELFBALANCE: 0x47,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
} as const
/** What code reads of its block: those that the spec lets override, and those that it does not name. */
export const OF_BLOCK = { NUMBER: 0x43, TIMESTAMP: 0x42 } as const
export const MORE_OF_BLOCK = {
  COINBASE: 0x41,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  BASEFEE: 0x48,
} as const
export const OTHERS = { BALANCE: 0x31, EXTCODESIZE: 0x3b, EXTCODEHASH: 0x3f } as const
export const CALLS = { CALL: 0xf1, CALLCODE: 0xf2, DELEGATECALL: 0xf4, STATICCALL: 0xfa } as const
const [SLOAD, SSTORE, TLOAD, TSTORE] = [0x54, 0x55, 0x5c, 0x5d]
const [MSTORE, MLOAD, DUP1] = [0x52, 0x51, 0x80]

/** One thing that a contract does; `slot` is where it keeps what came of it. */
export type Piece =
  | { do: 'store'; slot: number; value: Hex }
  | { do: 'count'; slot: number; by: number }
  | { do: 'reckon'; with: keyof typeof BINARY; a: Hex; b: Hex; slot: number }
  | { do: 'own'; what: keyof typeof OWN; slot: number }
  | { do: 'block'; what: keyof typeof OF_BLOCK | keyof typeof MORE_OF_BLOCK; slot: number }
  | { do: 'look'; what: keyof typeof OTHERS; at: number; slot: number }
  | { do: 'log'; topics: readonly Hex[]; from: number; size: number }
  | { do: 'call'; by: keyof typeof CALLS; to: number; value: number; size: number; slot: number }
  | { do: 'create'; value: number; runtime: Hex; slot: number }
  | { do: 'hash'; from: number; size: number; slot: number }
  | { do: 'pass'; slot: number; value: Hex }
  | { do: 'remember'; at: number; value: Hex }

/** How a contract ends. */
export type End =
  | { with: 'stop' | 'nothing' | 'invalid' | 'loop' }
  | { with: 'return' | 'revert'; from: number; size: number }
  | { with: 'reason'; text: string }
  | { with: 'panic'; code: number }
  | { with: 'custom'; selector: Hex; value: Hex }
  | { with: 'destroy'; to: number }

export interface Program {
  pieces: readonly Piece[]
  end: End
}

/** The bytes of a program. */
export function codeOf({ pieces, end }: Program): Hex {
  return concatHex([...pieces.map(codeOfPiece), codeOfEnd(end)])
}

function codeOfPiece(piece: Piece): Hex {
  switch (piece.do) {
    case 'store':
      return concatHex([push(piece.value), keep(piece.slot)])
    case 'count':
      return concatHex([read(piece.slot, SLOAD), push(piece.by), op(BINARY.ADD), keep(piece.slot)])
    case 'reckon':
      return concatHex([push(piece.b), push(piece.a), op(BINARY[piece.with]), keep(piece.slot)])
    case 'block':
      return concatHex([op({ ...OF_BLOCK, ...MORE_OF_BLOCK }[piece.what]), keep(piece.slot)])
    case 'own':
      return concatHex([op(OWN[piece.what]), keep(piece.slot)])
    case 'look':
      return concatHex([addressed(piece.at), op(OTHERS[piece.what]), keep(piece.slot)])
    case 'log': {
      const topics = piece.topics.toReversed().map(push)
      return concatHex([
        ...topics,
        push(piece.size),
        push(piece.from),
        op(0xa0 + piece.topics.length),
      ])
    }
    case 'call':
      return concatHex([callOf(piece), keep(piece.slot)])
    case 'create':
      return creationOf(piece)
    case 'hash':
      return concatHex([push(piece.size), push(piece.from), op(0x20), keep(piece.slot)])
    case 'pass':
      // Kept for the length of the transaction, and read back.
      return concatHex([
        push(piece.value),
        read(piece.slot, TSTORE),
        read(piece.slot, TLOAD),
        push(0),
        op(MLOAD),
        op(BINARY.XOR),
        keep(piece.slot),
      ])
    case 'remember':
      return concatHex([push(piece.value), push(piece.at), op(MSTORE)])
  }
}

/** Input and output lie at the start of memory; what is returned beyond that is copied there, too. */
function callOf({ by, to, value, size }: Piece & { do: 'call' }): Hex {
  const hasValue = by === 'CALL' || by === 'CALLCODE'
  return concatHex([
    ...[32, 0, size, 0].map((each) => push(each)),
    ...(hasValue ? [push(value)] : []),
    addressed(to),
    // All but one 64th of what is left.
    op(OWN.GAS),
    op(CALLS[by]),
    // RETURNDATACOPY of all of it, to memory at 64.
    ...[op(OWN.RETURNDATASIZE), push(0), push(64), op(0x3e)],
  ])
}

function creationOf({ value, runtime, slot }: Piece & { do: 'create' }): Hex {
  // PUSH32 runtime, MSTORE at 0, RETURN its last bytes.
  const length = size(runtime)
  const init = concatHex([
    push(runtime),
    push(0),
    op(MSTORE),
    push(length),
    push(32 - length),
    op(0xf3),
  ])
  const word = padHex(init, { dir: 'right', size: 64 })
  const [first, second] = [`0x${word.slice(2, 66)}`, `0x${word.slice(66)}`] as [Hex, Hex]
  return concatHex([
    ...[push(first), push(0), op(MSTORE), push(second), push(32), op(MSTORE)],
    ...[push(size(init)), push(0), push(value), op(0xf0)],
    keep(slot),
  ])
}

function codeOfEnd(end: End): Hex {
  switch (end.with) {
    case 'nothing':
      return '0x'
    case 'stop':
      return op(0)
    case 'invalid':
      return op(0xfe)
    case 'loop':
      // JUMPDEST, a log of 4 KiB so that gas is used soon, and back to PC - 9, where it stands.
      return concatHex([
        ...[op(0x5b), push('0x1000'), push(0), op(0xa0)],
        ...[push(9), op(OWN.PC), op(BINARY.SUB), op(0x56)],
      ])
    case 'return':
      return concatHex([push(end.size), push(end.from), op(0xf3)])
    case 'revert':
      return concatHex([push(end.size), push(end.from), op(0xfd)])
    case 'reason':
      return revertWith(
        encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [end.text] }),
      )
    case 'panic':
      return revertWith(
        encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), args: [BigInt(end.code)] }),
      )
    case 'custom':
      return revertWith(concatHex([end.selector, padHex(end.value, { size: 32 })]))
    case 'destroy':
      return concatHex([addressed(end.to), op(0xff)])
  }
}

function revertWith(bytes: Hex): Hex {
  const words = bytes.slice(2).match(/.{1,64}/g) ?? []
  const stores = words.flatMap((word, index) => [
    push(padHex(`0x${word}`, { dir: 'right', size: 32 })),
    push(32 * index),
    op(MSTORE),
  ])
  return concatHex([...stores, push(size(bytes)), push(0), op(0xfd)])
}

const op = (opcode: number): Hex => numberToHex(opcode, { size: 1 })
const addressed = (index: number): Hex =>
  concatHex([op(0x73), ADDRESSED[index % ADDRESSED.length]!])
/** In memory, too: what nobody reads would be judged by its gas alone. */
const keep = (slot: number): Hex =>
  concatHex([op(DUP1), push(32 * slot), op(MSTORE), read(slot, SSTORE)])
const read = (slot: number, by: number): Hex => concatHex([push(trim(slotWord(slot))), op(by)])

/** PUSH1 to PUSH32 with as many bytes as the value has. */
function push(value: number | Hex): Hex {
  const bytes =
    typeof value === 'number' ? numberToHex(value, { size: value < 256 ? 1 : 4 }) : value
  return concatHex([op(0x5f + size(bytes)), bytes])
}
