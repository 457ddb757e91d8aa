import { bytesToHex } from './bytes-to-hex.ts'

/** A number of so many bytes needs no text. */
const SAFE_BYTES = 6

/**
 * Big-endian bytes as a number; none are 0.
 * @example
 * bytesToBigInt(Uint8Array.of(1, 0)) // 256n
 */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  if (bytes.length > SAFE_BYTES) return BigInt(bytesToHex(bytes))
  let value = 0
  for (let at = 0; at < bytes.length; at++) value = value * 256 + bytes[at]!
  return BigInt(value)
}
