import { invalidParams } from '../json-rpc-error.ts'
import { jsonType } from './hex-digits.ts'

/** A JSON object. @throws JsonRpcError -32602 */
export function parseRecord(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  if (value === undefined || value === null) throw invalidParams(`${name}: missing`)
  throw invalidParams(`${name}: must be an object, not a JSON ${jsonType(value)}`)
}

/** A JSON array of at most `limit` elements. @throws JsonRpcError -32602 */
export function parseList(value: unknown, name: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw invalidParams(`${name}: must be an array, not a JSON ${jsonType(value)}`)
  }
  if (value.length > limit) {
    throw invalidParams(`${name}: has ${value.length} elements, the limit is ${limit}`)
  }
  return value
}
