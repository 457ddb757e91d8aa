import { concatBytes, hexToBytes } from '@ethereumjs/util'
import type { Address } from '#protocol/types/bytes'
import { randomProgram as randomPieces } from '../differential/random-code.ts'
import type { RandomSource } from '../differential/random-source.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const push1 = (value: number) => bytes(0x60, value)
const push2 = (value: number) => bytes(0x61, value >> 8, value & 255)

/** The hardfork whose opcodes it may have. */
export type ProgramEra = 'prague' | 'osaka'

const UNARY = { prague: [0x15, 0x19], osaka: [0x15, 0x19, 0x1e, 0x1e] }
const BINARY = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17,
  0x18, 0x1a, 0x1b, 0x1c, 0x1d,
]
const TERNARY = [0x08, 0x09]
const COPIES = [0x37, 0x39, 0x5e]

/**
 * A program that mostly runs to its end: arithmetic on numbers at the edges, loops, memory, calls that
 * pass data on, and the pieces of the differential suite.
 */
export function randomProgram(
  random: RandomSource,
  world: readonly Address[],
  era: ProgramEra = 'prague',
): Uint8Array {
  let code = bytes()
  const count = 1 + random.below(8)
  for (let index = 0; index < count; index++) {
    code = concatBytes(code, piece(random, world, code.length, era))
  }
  if (random.oneIn(2)) code = concatBytes(code, randomPieces(random, world))
  return random.oneIn(2) ? code : concatBytes(code, giveBack(random))
}

/** A word that breaks careless arithmetic more often than a random one. */
function edge(random: RandomSource): Uint8Array {
  const word = new Uint8Array(32)
  switch (random.below(8)) {
    case 0:
      return push1(random.below(256))
    case 1:
      return bytes(0x5f)
    case 2:
      word.fill(0xff)
      break
    case 3:
      word[random.below(32)] = 1 << random.below(8)
      break
    case 4:
      word.fill(0xff, random.below(32))
      break
    case 5:
      word.fill(0xff, 0, 1 + random.below(31))
      break
    case 6:
      word.set(random.bytes(1 + random.below(32)))
      break
    default: {
      const tail = random.bytes(1 + random.below(32))
      word.set(tail, 32 - tail.length)
    }
  }
  return concatBytes(bytes(0x7f), word)
}

/** @param at where it will stand in the code */
function piece(
  random: RandomSource,
  world: readonly Address[],
  at: number,
  era: ProgramEra,
): Uint8Array {
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return concatBytes(arithmetic(random, era), sink(random))
    case 3:
      return loop(random, at)
    case 4:
      return concatBytes(
        edge(random),
        push2(random.below(2000)),
        bytes(random.oneIn(3) ? 0x53 : 0x52),
      )
    case 5:
      return concatBytes(push2(random.below(2000)), bytes(0x51), sink(random))
    case 6:
      return concatBytes(
        push1(random.below(250)),
        push2(random.below(600)),
        push2(random.below(600)),
        bytes(random.pick(COPIES)),
      )
    case 7:
      return concatBytes(
        push2(random.below(300)),
        push2(random.below(600)),
        bytes(0x20),
        sink(random),
      )
    case 8:
      return passOn(random, world)
    default:
      return shuffle(random)
  }
}

function arithmetic(random: RandomSource, era: ProgramEra): Uint8Array {
  const kind = random.below(7)
  if (kind === 0) return concatBytes(edge(random), bytes(random.pick(UNARY[era])))
  const operands = [edge(random), edge(random)]
  if (kind < 5) return concatBytes(...operands, bytes(random.pick(BINARY)))
  return concatBytes(...operands, edge(random), bytes(random.pick(TERNARY)))
}

/** Uses up one word. */
function sink(random: RandomSource): Uint8Array {
  const kind = random.below(6)
  if (kind === 0) return bytes(0x50)
  if (kind === 1) return concatBytes(push1(random.below(8)), bytes(0x55))
  if (kind === 2) return concatBytes(push1(random.below(8)), bytes(0x5d))
  return concatBytes(push2(32 * random.below(20)), bytes(0x52))
}

/** Does the same some times over: adds to a slot, or hashes memory into itself. */
function loop(random: RandomSource, at: number): Uint8Array {
  const body = random.pick([
    bytes(0x80, 0x60, 0x40, 0x52),
    bytes(0x60, 0x40, 0x5f, 0x20, 0x5f, 0x52),
    bytes(0x5f, 0x54, 0x60, 0x03, 0x01, 0x5f, 0x55),
    bytes(0x80, 0x5c, 0x60, 0x05, 0x02, 0x81, 0x5d),
    bytes(0x80, 0x80, 0x02, 0x60, 0x20, 0x52),
  ])
  // counter, JUMPDEST, body, counter - 1, again while it is not zero
  return concatBytes(
    push1(1 + random.below(40)),
    bytes(0x5b),
    body,
    push1(1),
    bytes(0x90, 0x03, 0x80),
    push2(at + 2),
    bytes(0x57, 0x50),
  )
}

/** Calls somebody with a part of memory, and keeps what comes back. */
function passOn(random: RandomSource, world: readonly Address[]): Uint8Array {
  const opcode = random.pick([0xf1, 0xf1, 0xf2, 0xf4, 0xfa])
  const hasValue = opcode === 0xf1 || opcode === 0xf2
  const value = hasValue ? push1(random.oneIn(3) ? random.below(9) : 0) : bytes()
  return concatBytes(
    ...[300, 300, 300, 300].map((bound) => push2(random.below(bound))),
    value,
    concatBytes(bytes(0x73), hexToBytes(random.pick(world))),
    random.oneIn(4) ? push2(random.below(65_536)) : bytes(0x5a),
    bytes(opcode),
    sink(random),
    bytes(0x3d, 0x5f, 0x5f, 0x3e),
  )
}

/** Puts words on the stack, mixes them, and takes them off. */
function shuffle(random: RandomSource): Uint8Array {
  const count = 2 + random.below(15)
  const words = Array.from({ length: count }, () => push1(random.below(256)))
  const mixes = Array.from({ length: random.below(8) }, () => bytes(0x90 + random.below(count - 1)))
  const folds = Array.from({ length: count - 1 }, () => bytes(random.pick([0x01, 0x03, 0x18])))
  return concatBytes(
    ...words,
    ...mixes,
    bytes(0x80 + random.below(count), 0x50),
    ...folds,
    sink(random),
  )
}

function giveBack(random: RandomSource): Uint8Array {
  const range = concatBytes(push2(random.below(300)), push2(random.below(300)))
  return concatBytes(range, bytes(random.oneIn(6) ? 0xfd : 0xf3))
}
