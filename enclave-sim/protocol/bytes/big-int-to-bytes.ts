import { bigIntToUnpaddedBytes } from '@ethereumjs/util'

/** A number as big-endian bytes without leading zeros; 0 is no bytes. */
export function bigIntToBytes(value: bigint): Uint8Array {
  if (value < 0n || value > Number.MAX_SAFE_INTEGER) return bigIntToUnpaddedBytes(value)
  let rest = Number(value)
  let length = 0
  for (let shifted = rest; shifted >= 1; shifted /= 256) length++
  const bytes = new Uint8Array(length)
  while (length > 0) {
    bytes[--length] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return bytes
}
