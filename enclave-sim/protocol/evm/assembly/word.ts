// 256-bit words in linear memory: four 64-bit limbs, the lowest first. Functions take pointers; where
// they write to `out`, it may be one of the operands.
//
// A word is written as two halves of 16 bytes, as `copy` reads it: what was just written in pieces of 8 a
// processor cannot hand on to a read of 16, and waits.

export const WORD: usize = 32

// @ts-ignore: decorator
@inline
export function set(at: usize, limb0: u64, limb1: u64, limb2: u64, limb3: u64): void {
  v128.store(at, i64x2.replace_lane(i64x2.splat(limb0), 1, limb1))
  v128.store(at, i64x2.replace_lane(i64x2.splat(limb2), 1, limb3), 16)
}

// @ts-ignore: decorator
@inline
export function setSmall(at: usize, value: u64): void {
  const zero = i64x2.splat(0)
  v128.store(at, i64x2.replace_lane(zero, 0, value))
  v128.store(at, zero, 16)
}

// @ts-ignore: decorator
@inline
export function copy(to: usize, from: usize): void {
  const low = v128.load(from)
  const high = v128.load(from, 16)
  v128.store(to, low)
  v128.store(to, high, 16)
}

// @ts-ignore: decorator
@inline
export function isZero(at: usize): bool {
  return (load<u64>(at) | load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24)) == 0
}

/** Whether it is below 2^32, so that it may be an offset or a length. */
// @ts-ignore: decorator
@inline
export function isSmall(at: usize): bool {
  return ((load<u64>(at) >> 32) | load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24)) == 0
}

// @ts-ignore: decorator
@inline
export function equal(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  )
}

// @ts-ignore: decorator
@inline
export function lessThan(a: usize, b: usize): bool {
  for (let limb: usize = 24; limb != 0; limb -= 8) {
    const x = load<u64>(a + limb)
    const y = load<u64>(b + limb)
    if (x != y) return x < y
  }
  return load<u64>(a) < load<u64>(b)
}

// @ts-ignore: decorator
@inline
export function signedLessThan(a: usize, b: usize): bool {
  const x = load<i64>(a, 24)
  const y = load<i64>(b, 24)
  return x != y ? x < y : lessThan(a, b)
}

// @ts-ignore: decorator
@inline
export function isNegative(at: usize): bool {
  return load<i64>(at, 24) < 0
}

/** Bits before the first that is set (EIP-7939); 256 for zero. */
export function leadingZeros(at: usize): u64 {
  const limb3 = load<u64>(at, 24)
  if (limb3) return clz<u64>(limb3)
  const limb2 = load<u64>(at, 16)
  if (limb2) return 64 + clz<u64>(limb2)
  const limb1 = load<u64>(at, 8)
  if (limb1) return 128 + clz<u64>(limb1)
  return 192 + clz<u64>(load<u64>(at))
}

// @ts-ignore: decorator
@inline
export function and(a: usize, b: usize, out: usize): void {
  v128.store(out, v128.and(v128.load(a), v128.load(b)))
  v128.store(out, v128.and(v128.load(a, 16), v128.load(b, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function or(a: usize, b: usize, out: usize): void {
  v128.store(out, v128.or(v128.load(a), v128.load(b)))
  v128.store(out, v128.or(v128.load(a, 16), v128.load(b, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function xor(a: usize, b: usize, out: usize): void {
  v128.store(out, v128.xor(v128.load(a), v128.load(b)))
  v128.store(out, v128.xor(v128.load(a, 16), v128.load(b, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function not(a: usize, out: usize): void {
  v128.store(out, v128.not(v128.load(a)))
  v128.store(out, v128.not(v128.load(a, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function add(a: usize, b: usize, out: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const sum0 = a0 + load<u64>(b)
  let carry = u64(sum0 < a0)
  const part1 = a1 + load<u64>(b, 8)
  const sum1 = part1 + carry
  carry = u64(part1 < a1) | u64(sum1 < part1)
  const part2 = a2 + load<u64>(b, 16)
  const sum2 = part2 + carry
  carry = u64(part2 < a2) | u64(sum2 < part2)
  set(out, sum0, sum1, sum2, a3 + load<u64>(b, 24) + carry)
}

// @ts-ignore: decorator
@inline
export function sub(a: usize, b: usize, out: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  let borrow = u64(a0 < b0)
  const part1 = a1 - b1
  const difference1 = part1 - borrow
  borrow = u64(a1 < b1) | u64(part1 < borrow)
  const part2 = a2 - b2
  const difference2 = part2 - borrow
  borrow = u64(a2 < b2) | u64(part2 < borrow)
  set(out, a0 - b0, difference1, difference2, a3 - b3 - borrow)
}

const ZERO: usize = memory.data(32, 16)

export function negate(a: usize, out: usize): void {
  sub(ZERO, a, out)
}

/** Logical shift by less than 256 bits. */
export function shiftRight(at: usize, bits: u32, out: usize): void {
  let limb0 = load<u64>(at)
  let limb1 = load<u64>(at, 8)
  let limb2 = load<u64>(at, 16)
  let limb3 = load<u64>(at, 24)
  if (bits & 128) {
    limb0 = limb2
    limb1 = limb3
    limb2 = limb3 = 0
  }
  if (bits & 64) {
    limb0 = limb1
    limb1 = limb2
    limb2 = limb3
    limb3 = 0
  }
  const rest: u64 = bits & 63
  if (rest) {
    const other = 64 - rest
    limb0 = (limb0 >> rest) | (limb1 << other)
    limb1 = (limb1 >> rest) | (limb2 << other)
    limb2 = (limb2 >> rest) | (limb3 << other)
    limb3 >>= rest
  }
  set(out, limb0, limb1, limb2, limb3)
}

/** Shift by less than 256 bits. */
export function shiftLeft(at: usize, bits: u32, out: usize): void {
  let limb0 = load<u64>(at)
  let limb1 = load<u64>(at, 8)
  let limb2 = load<u64>(at, 16)
  let limb3 = load<u64>(at, 24)
  if (bits & 128) {
    limb3 = limb1
    limb2 = limb0
    limb1 = limb0 = 0
  }
  if (bits & 64) {
    limb3 = limb2
    limb2 = limb1
    limb1 = limb0
    limb0 = 0
  }
  const rest: u64 = bits & 63
  if (rest) {
    const other = 64 - rest
    limb3 = (limb3 << rest) | (limb2 >> other)
    limb2 = (limb2 << rest) | (limb1 >> other)
    limb1 = (limb1 << rest) | (limb0 >> other)
    limb0 <<= rest
  }
  set(out, limb0, limb1, limb2, limb3)
}

/** Arithmetic shift by less than 256 bits. */
export function shiftRightSigned(at: usize, bits: u32, out: usize): void {
  if (!isNegative(at)) {
    shiftRight(at, bits, out)
    return
  }
  not(at, out)
  shiftRight(out, bits, out)
  not(out, out)
}

/** Big-endian, as memory, code and calldata have it. */
// @ts-ignore: decorator
@inline
export function fromBytes(from: usize, out: usize): void {
  set(
    out,
    bswap<u64>(load<u64>(from, 24)),
    bswap<u64>(load<u64>(from, 16)),
    bswap<u64>(load<u64>(from, 8)),
    bswap<u64>(load<u64>(from)),
  )
}

// @ts-ignore: decorator
@inline
export function toBytes(at: usize, to: usize): void {
  set(
    to,
    bswap<u64>(load<u64>(at, 24)),
    bswap<u64>(load<u64>(at, 16)),
    bswap<u64>(load<u64>(at, 8)),
    bswap<u64>(load<u64>(at)),
  )
}
