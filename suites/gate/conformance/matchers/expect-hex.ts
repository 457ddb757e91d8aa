import { CaseFailure } from '../case-failure.ts'
import type { Hex } from '../wire/hex.ts'

/** A hex quantity without needless leading zeros (RPC-ENV-12). @throws CaseFailure */
export function expectQuantity(value: unknown, at: string): bigint {
  return BigInt(expectPattern(value, /^0x(0|[1-9a-f][0-9a-f]*)$/, 'a 0x hex quantity', at))
}

/** 32 bytes (RPC-ENV-13). @throws CaseFailure */
export function expectHash(value: unknown, at: string): Hex {
  return expectPattern(value, /^0x[0-9a-f]{64}$/, 'a 0x hash of 32 bytes', at)
}

/** 20 bytes in any letter case, returned in lower case (RPC-ENV-14). @throws CaseFailure */
export function expectAddress(value: unknown, at: string): Hex {
  const address = expectPattern(value, /^0x[0-9a-fA-F]{40}$/, 'a 0x address of 20 bytes', at)
  return address.toLowerCase() as Hex
}

/** Whole bytes of any number, or exactly `length` of them. @throws CaseFailure */
export function expectBytes(value: unknown, at: string, length?: number): Hex {
  const wanted = length === undefined ? '0x hex bytes' : `${length} bytes as 0x hex`
  const bytes = expectPattern(value, /^0x([0-9a-f]{2})*$/, wanted, at)
  if (length === undefined || bytes.length === 2 + 2 * length) return bytes
  throw new CaseFailure({ at, expected: wanted, actual: value })
}

function expectPattern(value: unknown, pattern: RegExp, expected: string, at: string): Hex {
  if (typeof value === 'string' && pattern.test(value)) return value as Hex
  throw new CaseFailure({ at, expected, actual: value })
}
