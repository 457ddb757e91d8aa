import { invalidParams } from '../json-rpc-error.ts'
import { jsonType } from './hex-digits.ts'

/** @throws JsonRpcError -32602, also for "true" as a string. */
export function parseBoolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  if (value === undefined || value === null) throw invalidParams(`${name}: missing`)
  throw invalidParams(`${name}: must be true or false, not a JSON ${jsonType(value)}`)
}

/** The same, where absent and null mean `false`. */
export function parseFlag(value: unknown, name: string): boolean {
  return value === undefined || value === null ? false : parseBoolean(value, name)
}
