// JSON text, written straight into memory.

/** Digits of hex. */
const DIGITS: usize = memory.data<u8>([
  0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
])
/** What may be written beyond the end of hex and of text. */
export const OVERSHOOT: u32 = 32

/** Writes so many bytes as hex, without 0x. @returns behind what was written, as all that follow */
export function writeHex(to: usize, at: usize, length: u32): usize {
  const digits = v128.load(DIGITS)
  const low = i8x16.splat(15)
  for (let done: u32 = 0; done < length; done += 16) {
    const bytes = v128.load(at + done)
    const highDigits = v128.swizzle(digits, v128.and(v128.shr<u16>(bytes, 4), low))
    const lowDigits = v128.swizzle(digits, v128.and(bytes, low))
    const out = to + (<usize>done << 1)
    v128.store(
      out,
      v128.shuffle<u8>(highDigits, lowDigits, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
    )
    v128.store(
      out,
      v128.shuffle<u8>(
        highDigits, lowDigits, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31,
      ),
      16,
    )
  }
  return to + (<usize>length << 1)
}

/** A quantity with its 0x. */
export function writeQuantity(to: usize, value: u64): usize {
  const digits: u32 = value == 0 ? 1 : (67 - <u32>clz(value)) >> 2
  store<u16>(to, 0x7830)
  to += 2
  for (let digit = digits; digit > 0; digit--) {
    store<u8>(to + digit - 1, load<u8>(DIGITS + <usize>(value & 15)))
    value >>= 4
  }
  return to + digits
}

/** Text that is fixed: ASCII, which the compiler keeps in two bytes each. */
export function writeText(to: usize, text: string): usize {
  const from = changetype<usize>(text)
  const length = <usize>text.length
  for (let done: usize = 0; done < length; done += 16) {
    const at = from + (done << 1)
    v128.store(to + done, v128.narrow<i16>(v128.load(at), v128.load(at, 16)))
  }
  return to + length
}

export function writeBytes(to: usize, at: usize, length: u32): usize {
  memory.copy(to, at, length)
  return to + length
}
