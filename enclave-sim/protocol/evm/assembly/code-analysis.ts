// What is known of code before it runs, and lies behind it: where it may jump to, and what its blocks
// take. A block is what runs in one go: from where it is entered to the next opcode that may lead
// elsewhere, may have to wait, or looks at the gas. The interpreter pays and checks once for all of it.
import { OPCODE_SHAPES } from './generated/opcode-table'

/** Behind the code: PUSH32 in the last byte may read so far, and finds STOP then. */
const PADDING: usize = 64
const JUMPDEST: u32 = 0x5b

/** Bytes that code takes with what is known of it: a bit and a block for each of its bytes. */
export function analysedBytes(length: u32): usize {
  return (blocksOf(0, length) + ((<usize>length + 1) << 2) + 63) & ~63
}

/** The jump destinations of code: one bit for each byte. */
// @ts-ignore: decorator
@inline
export function jumpsOf(code: usize, length: u32): usize {
  return code + length + PADDING
}

/** The blocks of code, by the byte they begin at; what lies between those bytes says nothing. */
// @ts-ignore: decorator
@inline
export function blocksOf(code: usize, length: u32): usize {
  return (jumpsOf(code, length) + (<usize>length >> 3) + 4) & ~3
}

// A block is four bytes: its static gas (12 bits), the words it needs on the stack (10), and how many
// more than at its start there may be in it (10).
const MOST_GAS: u32 = 0xfff
const MOST_WORDS: i32 = 0x3ff
/** One that four bytes cannot tell of. No stack fits it. */
const TOO_LARGE: u32 = 0xffffffff

function blockOf(gas: u32, needed: i32, added: i32): u32 {
  if (gas > MOST_GAS || needed > MOST_WORDS || added > MOST_WORDS) return TOO_LARGE
  return gas | (<u32>needed << 12) | (<u32>added << 22)
}

// @ts-ignore: decorator
@inline
export function blockGas(block: u32): i64 {
  return <i64>(block & MOST_GAS)
}

/** Whether a stack of so many bytes is deep enough for a block, and stays within the limit in it. */
// @ts-ignore: decorator
@inline
export function fitsStack(block: u32, bytes: u32, limit: u32): bool {
  return bytes >= ((block >> 7) & 0x7fe0) && bytes + ((block >> 17) & 0x7fe0) <= limit
}

// A shape: static gas (16 bits), the words an opcode takes (8) and gives (7), whether a block ends with it.
// @ts-ignore: decorator
@inline
function shapeAt(at: usize): u32 {
  return load<u32>(OPCODE_SHAPES + (<usize>load<u8>(at) << 2))
}

/** How far the next opcode is. */
function lengthAt(at: usize): u32 {
  const opcode = <u32>load<u8>(at)
  return opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5e : 1
}

/** Zeroes what follows the code, marks each JUMPDEST that is no data of a PUSH, and sums up the blocks. */
export function analyse(code: usize, length: u32): void {
  memory.fill(code + length, 0, PADDING + (length >> 3) + 1)
  const jumps = jumpsOf(code, length)
  const blocks = blocksOf(code, length)
  let start: u32 = 0
  let gas: u32 = 0
  // Words more than at the start of the block, the most of them, and the words that it needs there.
  let words: i32 = 0
  let added: i32 = 0
  let needed: i32 = 0
  // Behind the last byte is a STOP.
  for (let at: u32 = 0; at <= length; at += lengthAt(code + at)) {
    const shape = shapeAt(code + at)
    const taken = <i32>((shape >> 16) & 0xff)
    const given = <i32>((shape >> 24) & 0x7f)
    const isDestination = load<u8>(code + at) == JUMPDEST
    if (isDestination) {
      const byte = jumps + (at >> 3)
      store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(at & 7)))
    } else {
      gas += shape & 0xffff
      needed = max(needed, taken - words)
      words += given - taken
      added = max(added, words)
      if (<i32>shape >= 0) continue
    }
    store<u32>(blocks + (start << 2), blockOf(gas, needed, added))
    // A JUMPDEST pays for itself; what waited runs again by itself.
    if (isDestination) store<u32>(blocks + (at << 2), 0)
    else if (start != at) {
      store<u32>(blocks + (at << 2), blockOf(shape & 0xffff, taken, max(given - taken, 0)))
    }
    start = at + 1
    gas = 0
    words = added = needed = 0
  }
  if (start <= length) store<u32>(blocks + (start << 2), blockOf(gas, needed, added))
}
