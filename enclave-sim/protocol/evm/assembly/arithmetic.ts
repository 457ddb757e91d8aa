// Multiplication, division and what follows from them. WASM multiplies 64 by 64 bits to 64, so these
// work on limbs of 32 bits, of which a word has eight.
import { add, copy, isNegative, isZero, lessThan, negate, set, setSmall } from './word'

const LOW: u64 = 0xffffffff

/** A product has 16 limbs; division needs one more. */
const product: usize = memory.data(80, 16)
const quotient: usize = memory.data(80, 16)
const divisor: usize = memory.data(48, 16)
const remainder: usize = memory.data(48, 16)

// @ts-ignore: decorator
@inline
function limb(at: usize, index: i32): u64 {
  return <u64>load<u32>(at + (<usize>index << 2))
}

// @ts-ignore: decorator
@inline
function setLimb(at: usize, index: i32, value: u64): void {
  store<u32>(at + (<usize>index << 2), <u32>value)
}

/** How many limbs it has without leading zeros. */
function limbs(at: usize): i32 {
  for (let index = 3; index >= 0; index--) {
    const pair = load<u64>(at + (<usize>index << 3))
    if (pair) return 2 * index + (pair >> 32 ? 2 : 1)
  }
  return 0
}

// @ts-ignore: decorator
@inline
function isOneLimb(at: usize): bool {
  return (load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24)) == 0
}

/** Adds `a` times one limb to the product, from limb `shift` on. */
function addRow(a: usize, length: i32, factor: u64, shift: i32): void {
  let carry: u64 = 0
  for (let index = 0; index < length; index++) {
    const sum = factor * limb(a, index) + limb(product, shift + index) + carry
    setLimb(product, shift + index, sum)
    carry = sum >> 32
  }
  setLimb(product, shift + length, carry)
}

/** The upper 64 bits of a product of 64 by 64. */
// @ts-ignore: decorator
@inline
function upperHalf(a: u64, b: u64): u64 {
  const low = (a & LOW) * (b & LOW)
  const middle = (a >> 32) * (b & LOW) + (low >> 32)
  const other = (a & LOW) * (b >> 32) + (middle & LOW)
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32)
}

/** MUL: most have a factor that is small. */
export function multiply(a: usize, b: usize, out: usize): void {
  if (isOneLimb(b)) multiplyBy(load<u64>(b), a, out)
  else if (isOneLimb(a)) multiplyBy(load<u64>(a), b, out)
  else multiplyWords(a, b, out)
}

function multiplyBy(factor: u64, word: usize, out: usize): void {
  const w0 = load<u64>(word)
  const w1 = load<u64>(word, 8)
  const w2 = load<u64>(word, 16)
  const high0 = upperHalf(w0, factor)
  const product1 = w1 * factor + high0
  const high1 = upperHalf(w1, factor) + u64(product1 < high0)
  const product2 = w2 * factor + high1
  const high2 = upperHalf(w2, factor) + u64(product2 < high1)
  set(out, w0 * factor, product1, product2, load<u64>(word, 24) * factor + high2)
}

function multiplyWords(a: usize, b: usize, out: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  // By the first limb, then what the others add, each beginning one limb higher.
  const high00 = upperHalf(a0, b0)
  let limb1 = a1 * b0 + high00
  const high10 = upperHalf(a1, b0) + u64(limb1 < high00)
  let limb2 = a2 * b0 + high10
  let limb3 = a3 * b0 + upperHalf(a2, b0) + u64(limb2 < high10)

  const low01 = a0 * b1
  limb1 += low01
  const high01 = upperHalf(a0, b1) + u64(limb1 < low01)
  limb2 += high01
  const carry = u64(limb2 < high01)
  const low11 = a1 * b1
  limb2 += low11
  limb3 += upperHalf(a1, b1) + carry + u64(limb2 < low11) + a2 * b1

  const low02 = a0 * b2
  limb2 += low02
  limb3 += upperHalf(a0, b2) + u64(limb2 < low02) + a1 * b2 + a0 * b3
  set(out, a0 * b0, limb1, limb2, limb3)
}

/**
 * Knuth's algorithm D: divides `length` limbs at `dividend`, which has room for one more and is
 * destroyed, by a word that is not zero. The quotient is in `quotient`.
 */
function divideLimbs(dividend: usize, length: i32, by: usize, rest: usize): void {
  memory.fill(quotient, 0, 80)
  const size = limbs(by)
  if (size == 1) {
    const single = limb(by, 0)
    let carried: u64 = 0
    for (let index = length - 1; index >= 0; index--) {
      const part = (carried << 32) | limb(dividend, index)
      setLimb(quotient, index, part / single)
      carried = part % single
    }
    setSmall(rest, carried)
    return
  }
  const shift = <u64>clz<u32>(<u32>limb(by, size - 1))
  shiftLimbs(by, size, shift, divisor)
  shiftLimbs(dividend, length, shift, dividend)
  const first = limb(divisor, size - 1)
  const second = limb(divisor, size - 2)
  for (let place = length - size; place >= 0; place--) {
    const top = (limb(dividend, place + size) << 32) | limb(dividend, place + size - 1)
    let guess = top / first
    let left = top % first
    while (guess > LOW || guess * second > ((left << 32) | limb(dividend, place + size - 2))) {
      guess--
      left += first
      if (left > LOW) break
    }
    if (subtractMultiple(dividend, place, size, guess)) {
      guess--
      addBack(dividend, place, size)
    }
    setLimb(quotient, place, guess)
  }
  memory.fill(remainder, 0, 32)
  for (let index = 0; index < size; index++) {
    const pair = (limb(dividend, index + 1) << 32) | limb(dividend, index)
    setLimb(remainder, index, pair >> shift)
  }
  copy(rest, remainder)
}

/** Shifts left by less than 32 bits, into one limb more. */
function shiftLimbs(from: usize, length: i32, shift: u64, to: usize): void {
  setLimb(to, length, (limb(from, length - 1) << shift) >> 32)
  for (let index = length - 1; index > 0; index--) {
    const pair = (limb(from, index) << 32) | limb(from, index - 1)
    setLimb(to, index, (pair << shift) >> 32)
  }
  setLimb(to, 0, limb(from, 0) << shift)
}

/** Subtracts a multiple of the divisor from the dividend; tells whether it was too much. */
function subtractMultiple(dividend: usize, place: i32, size: i32, factor: u64): bool {
  let carry: u64 = 0
  let borrow: i64 = 0
  for (let index = 0; index < size; index++) {
    const part = factor * limb(divisor, index) + carry
    carry = part >> 32
    const left = <i64>limb(dividend, place + index) - borrow - <i64>(part & LOW)
    setLimb(dividend, place + index, <u64>left)
    borrow = left < 0 ? 1 : 0
  }
  const left = <i64>limb(dividend, place + size) - borrow - <i64>carry
  setLimb(dividend, place + size, <u64>left)
  return left < 0
}

function addBack(dividend: usize, place: i32, size: i32): void {
  let carry: u64 = 0
  for (let index = 0; index < size; index++) {
    const sum = limb(dividend, place + index) + limb(divisor, index) + carry
    setLimb(dividend, place + index, sum)
    carry = sum >> 32
  }
  setLimb(dividend, place + size, limb(dividend, place + size) + carry)
}

/** DIV: zero by zero. */
export function divide(a: usize, b: usize, out: usize): void {
  if (isOneLimb(a) && isOneLimb(b)) {
    const by = load<u64>(b)
    setSmall(out, by ? load<u64>(a) / by : 0)
    return
  }
  if (isZero(b) || lessThan(a, b)) {
    setSmall(out, 0)
    return
  }
  const length = limbs(a)
  copy(product, a)
  divideLimbs(product, length, b, remainder)
  copy(out, quotient)
}

/** MOD: zero by zero. */
export function modulo(a: usize, b: usize, out: usize): void {
  if (isOneLimb(a) && isOneLimb(b)) {
    const by = load<u64>(b)
    setSmall(out, by ? load<u64>(a) % by : 0)
    return
  }
  if (isZero(b)) {
    setSmall(out, 0)
    return
  }
  if (lessThan(a, b)) {
    copy(out, a)
    return
  }
  const length = limbs(a)
  copy(product, a)
  divideLimbs(product, length, b, out)
}

const absoluteA: usize = memory.data(32, 16)
const absoluteB: usize = memory.data(32, 16)

function absolute(at: usize, out: usize): void {
  if (isNegative(at)) negate(at, out)
  else copy(out, at)
}

/** SDIV: rounds towards zero. */
export function signedDivide(a: usize, b: usize, out: usize): void {
  const isNegated = isNegative(a) != isNegative(b)
  absolute(a, absoluteA)
  absolute(b, absoluteB)
  divide(absoluteA, absoluteB, out)
  if (isNegated) negate(out, out)
}

/** SMOD: has the sign of the dividend. */
export function signedModulo(a: usize, b: usize, out: usize): void {
  const isNegated = isNegative(a)
  absolute(a, absoluteA)
  absolute(b, absoluteB)
  modulo(absoluteA, absoluteB, out)
  if (isNegated) negate(out, out)
}

/** ADDMOD: of the sum in 257 bits. */
export function addModulo(a: usize, b: usize, modulus: usize, out: usize): void {
  if (isZero(modulus)) {
    setSmall(out, 0)
    return
  }
  add(a, b, product)
  store<u64>(product, u64(lessThan(product, a)), 32)
  divideLimbs(product, 9, modulus, out)
}

/** MULMOD: of the product in 512 bits. */
export function multiplyModulo(a: usize, b: usize, modulus: usize, out: usize): void {
  if (isZero(modulus)) {
    setSmall(out, 0)
    return
  }
  memory.fill(product, 0, 80)
  for (let row = 0; row < 8; row++) addRow(b, 8, limb(a, row), row)
  divideLimbs(product, 16, modulus, out)
}

const base: usize = memory.data(32, 16)
const power: usize = memory.data(32, 16)
const exponent: usize = memory.data(32, 16)

/** EXP, by squaring. */
export function exponentiate(a: usize, b: usize, out: usize): void {
  copy(base, a)
  copy(exponent, b)
  setSmall(power, 1)
  const bits = limbs(exponent) << 5
  for (let bit = 0; bit < bits; bit++) {
    if ((limb(exponent, bit >> 5) >> (bit & 31)) & 1) multiply(power, base, power)
    multiply(base, base, base)
  }
  copy(out, power)
}

/** How many bytes it has without leading zeros: what EXP costs by. */
export function byteLength(at: usize): u32 {
  for (let index = 3; index >= 0; index--) {
    const part = load<u64>(at + (<usize>index << 3))
    if (part) return <u32>(8 * index + 8 - <i32>(clz<u64>(part) >> 3))
  }
  return 0
}

/** SIGNEXTEND: the word's lowest `index` + 1 bytes as a signed number. */
export function signExtend(index: u32, word: usize): void {
  const sign = <i8>load<u8>(word + index)
  memory.fill(word + index + 1, sign < 0 ? 0xff : 0, 31 - index)
}

/** 2^256 - 1 where the flag is set, else 0. */
export function fillWith(flag: bool, out: usize): void {
  const limbValue: u64 = flag ? u64.MAX_VALUE : 0
  set(out, limbValue, limbValue, limbValue, limbValue)
}

