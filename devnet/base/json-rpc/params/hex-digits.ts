import { invalidParams } from '../json-rpc-error.ts'

const HEX = /^0[xX][0-9a-fA-F]*$/

/**
 * The digits after 0x, in lower case. Input is lenient in letter case only (OPEN-11).
 * @throws JsonRpcError -32602 naming the parameter.
 */
export function hexDigits(value: unknown, name: string): string {
  return requireHex(value, name).slice(2).toLowerCase()
}

/** A text of 0x hex as it came. @throws JsonRpcError -32602 naming the parameter */
export function requireHex(value: unknown, name: string): string {
  if (value === undefined || value === null) throw invalidParams(`${name}: missing`)
  if (typeof value !== 'string') {
    throw invalidParams(`${name}: must be a 0x hex string, not a JSON ${jsonType(value)}`)
  }
  if (!HEX.test(value)) {
    throw invalidParams(`${name}: ${quote(value)} is not a 0x hex string`)
  }
  return value
}

export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A value of the caller's as it may stand in a message: short and on one line. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 70 ? `${value.slice(0, 70)}…` : value)
}
