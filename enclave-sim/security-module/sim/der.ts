/** Writing DER (X.690), as far as a certificate needs it. */
import { concatBytes } from '@ethereumjs/util'

/** One value: tag, length, content. */
export function tlv(tag: number, ...content: Uint8Array[]): Uint8Array {
  const body = concatBytes(...content)
  return concatBytes(Uint8Array.of(tag, ...lengthOf(body.length)), body)
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

export const sequence = (...content: Uint8Array[]) => tlv(0x30, ...content)
export const set = (...content: Uint8Array[]) => tlv(0x31, ...content)
export const octetString = (...content: Uint8Array[]) => tlv(0x04, ...content)
export const utf8String = (text: string) => tlv(0x0c, Buffer.from(text))
export const bitString = (bytes: Uint8Array, unusedBits = 0) =>
  tlv(0x03, Uint8Array.of(unusedBits), bytes)
export const boolean = (value: boolean) => tlv(0x01, Uint8Array.of(value ? 0xff : 0))
/** `[n]` around a value, EXPLICIT. */
export const explicit = (n: number, ...content: Uint8Array[]) => tlv(0xa0 | n, ...content)
/** `[n]` in place of a primitive value's tag, IMPLICIT. */
export const implicit = (n: number, content: Uint8Array) => tlv(0x80 | n, content)

/** A non-negative integer from big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  return digits[0]! & 0x80 ? tlv(0x02, Uint8Array.of(0), digits) : tlv(0x02, digits)
}

/** @param dotted such as `2.5.29.19` */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  return tlv(0x06, Uint8Array.from([first! * 40 + second!, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >>> 7; rest; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

/** UTCTime until 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). @param instant Unix milliseconds */
export function time(instant: number): Uint8Array {
  // biome-ignore lint/style/noRestrictedGlobals: writes a given instant, does not read the clock
  const digits = `${new Date(instant).toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  return digits < '2050' ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits))
}
