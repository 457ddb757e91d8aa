import { concatBytes, hexToBytes } from '@ethereumjs/util'
import type { Address } from '#protocol/types/bytes'
import type { RandomSource } from './random-source.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const push1 = (value: number) => bytes(0x60, value)
const push2 = (value: number) => bytes(0x61, value >> 8, value & 255)
const push20 = (address: Address) => concatBytes(bytes(0x73), hexToBytes(address))

/** Opcodes that take nothing and give one word. */
const SOURCES = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
  0x4a, 0x58, 0x59, 0x5a,
]
const UNARY = [0x15, 0x19, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x51, 0x54, 0x5c]
const BINARY = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17,
  0x18, 0x1a, 0x1b, 0x1c, 0x1d, 0x20,
]
const TERNARY = [0x08, 0x09]

/**
 * A program that mostly runs: pieces that leave the stack as they found it, over the accounts in
 * `world`. Now and then plain noise.
 */
export function randomProgram(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  if (random.oneIn(25)) return random.bytes(random.below(60))
  const pieces = Array.from({ length: 1 + random.below(14) }, () => piece(random, accounts))
  if (random.oneIn(3)) pieces.push(ending(random, accounts))
  return concatBytes(...pieces)
}

/** Init code that runs a little and then deploys `runtime`. */
export function deploying(
  random: RandomSource,
  accounts: readonly Address[],
  runtime: Uint8Array,
): Uint8Array {
  const before = random.oneIn(2) ? piece(random, accounts) : bytes()
  const size = push2(runtime.length)
  // The 14 bytes that follow stand between the prelude and the runtime.
  const offset = push2(before.length + 14)
  return concatBytes(before, size, offset, push1(0), bytes(0x39), size, bytes(0x5f, 0xf3), runtime)
}

function word(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const kind = random.below(6)
  if (kind === 0) return bytes(random.pick(SOURCES))
  if (kind === 1) return push20(random.pick(accounts))
  if (kind === 2) return concatBytes(bytes(0x7f), random.bytes(32))
  if (kind === 3) return push2(random.below(1000))
  return push1(random.below(8))
}

function piece(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const operand = () => word(random, accounts)
  switch (random.below(14)) {
    case 0:
      return concatBytes(operand(), bytes(random.pick(UNARY)), sink(random))
    case 11:
      return rewrites(random)
    case 12:
      // BLOCKHASH of a block not long ago.
      return concatBytes(push1(random.below(4)), bytes(0x43, 0x03, 0x40), sink(random))
    case 1:
      return concatBytes(operand(), operand(), bytes(random.pick(BINARY)), sink(random))
    case 2:
      return concatBytes(operand(), operand(), operand(), bytes(random.pick(TERNARY)), sink(random))
    case 3:
    case 4:
      return concatBytes(operand(), push1(random.below(6)), bytes(random.oneIn(6) ? 0x5d : 0x55))
    case 5:
      return concatBytes(operand(), push1(random.below(200)), bytes(random.oneIn(3) ? 0x53 : 0x52))
    case 6:
      return log(random, operand)
    case 7:
    case 8:
      return call(random, accounts)
    case 9:
      return create(random, accounts)
    case 10:
      return copy(random, accounts)
    default:
      return concatBytes(push1(random.below(6)), bytes(0x54), sink(random))
  }
}

/** Uses up one word. */
function sink(random: RandomSource): Uint8Array {
  if (random.oneIn(2)) return bytes(0x50)
  return concatBytes(push1(random.below(6)), bytes(random.oneIn(4) ? 0x5d : 0x55))
}

/** Writes one slot several times, to and fro: the refunds of EIP-3529. */
function rewrites(random: RandomSource): Uint8Array {
  const slot = push1(random.below(6))
  const values = Array.from({ length: 2 + random.below(3) }, () => push1(random.below(3)))
  return concatBytes(...values.flatMap((value) => [value, slot, bytes(0x55)]))
}

function log(random: RandomSource, operand: () => Uint8Array): Uint8Array {
  const topics = random.below(5)
  const words = Array.from({ length: topics }, operand)
  return concatBytes(
    ...words,
    push1(random.below(70)),
    push1(random.below(70)),
    bytes(0xa0 + topics),
  )
}

function call(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const op = random.pick([0xf1, 0xf1, 0xf1, 0xf2, 0xf4, 0xfa])
  const value = op === 0xf1 || op === 0xf2 ? push1(random.oneIn(2) ? 0 : random.below(5)) : bytes()
  const gas = random.oneIn(3) ? push2(random.below(65_536)) : bytes(0x5a)
  return concatBytes(
    ...[64, 40, 200, 40].map((bound) => push1(random.below(bound))),
    value,
    push20(random.pick(accounts)),
    gas,
    bytes(op),
    sink(random),
  )
}

function create(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const runtime = randomSmallRuntime(random, accounts)
  const init = deploying({ ...random, oneIn: () => false }, accounts, runtime).subarray(0, 64)
  const stores = [0, 32].map((offset) => {
    const part = new Uint8Array(32)
    part.set(init.subarray(offset, offset + 32))
    return concatBytes(bytes(0x7f), part, push1(offset), bytes(0x52))
  })
  const twice = random.oneIn(2)
  return concatBytes(
    ...stores,
    twice ? push1(random.below(3)) : bytes(),
    push1(init.length),
    push1(0),
    push1(random.oneIn(3) ? random.below(4) : 0),
    bytes(twice ? 0xf5 : 0xf0),
    // Call what was created, if it was.
    random.oneIn(2)
      ? concatBytes(bytes(0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x85, 0x5a, 0xf1, 0x50), sink(random))
      : sink(random),
  )
}

function randomSmallRuntime(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const choice = random.below(5)
  if (choice === 0) return concatBytes(push20(random.pick(accounts)), bytes(0xff))
  if (choice === 1) return bytes(0x30, 0xff)
  if (choice === 2) return bytes(0x60, 0x07, 0x60, 0x01, 0x55)
  if (choice === 3) return bytes(0xef, 0x00)
  return bytes(0x5f, 0x5f, 0xfd)
}

function copy(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const [size, from, to] = [random.below(80), random.below(80), random.below(80)].map(push1)
  const op = random.pick([0x37, 0x39, 0x3c, 0x3e, 0x5e])
  const account = op === 0x3c ? push20(random.pick(accounts)) : bytes()
  return concatBytes(size!, from!, to!, account, bytes(op))
}

function ending(random: RandomSource, accounts: readonly Address[]): Uint8Array {
  const range = () => concatBytes(push1(random.below(100)), push1(random.below(100)))
  switch (random.below(6)) {
    case 0:
      return concatBytes(range(), bytes(0xfd))
    case 1:
      return bytes(0xfe)
    case 2:
      return concatBytes(push20(random.pick(accounts)), bytes(0xff))
    case 3:
      return bytes(0x30, 0xff)
    default:
      return concatBytes(range(), bytes(0xf3))
  }
}
