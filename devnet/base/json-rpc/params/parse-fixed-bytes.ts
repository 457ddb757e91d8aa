import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { invalidParams } from '../json-rpc-error.ts'
import { hexDigits } from './hex-digits.ts'

/** A 20-byte address in lower case; checksums are not looked at. @throws JsonRpcError -32602 */
export function parseAddress(value: unknown, name: string): Address {
  return parseFixedBytes(value, name, 20)
}

/** A 32-byte hash in lower case. @throws JsonRpcError -32602 */
export function parseHash(value: unknown, name: string): Hash {
  return parseFixedBytes(value, name, 32)
}

/** The usual way to write one: it is taken as it stands. */
const USUAL: Record<number, RegExp> = { 20: /^0x[0-9a-f]{40}$/, 32: /^0x[0-9a-f]{64}$/ }

function parseFixedBytes(value: unknown, name: string, length: 20 | 32): Hex {
  if (typeof value === 'string' && USUAL[length]!.test(value)) return value as Hex
  const digits = hexDigits(value, name)
  if (digits.length !== 2 * length) {
    const wanted = `${length} bytes (${2 * length} hex digits)`
    throw invalidParams(`${name}: must be ${wanted}, got ${digits.length} digits`)
  }
  return `0x${digits}`
}
