import type { Hash } from '#protocol/types/bytes'
import { invalidParams } from '../json-rpc-error.ts'
import { hexDigits } from './hex-digits.ts'

/** The usual way to write one: it is taken as it stands. */
const WHOLE = /^0x[0-9a-f]{64}$/

/**
 * A storage slot or value: 1 to 32 bytes of hex, short forms and odd digits taken, padded on the
 * left (OPEN-11, OPEN-37).
 * @throws JsonRpcError -32602
 */
export function parseStorageWord(value: unknown, name: string): Hash {
  if (typeof value === 'string' && WHOLE.test(value)) return value as Hash
  const digits = hexDigits(value, name)
  if (digits === '') throw invalidParams(`${name}: 0x holds no digits, zero is 0x0`)
  if (digits.length > 64) {
    throw invalidParams(`${name}: must be at most 32 bytes, got ${Math.ceil(digits.length / 2)}`)
  }
  return `0x${digits.padStart(64, '0')}`
}
