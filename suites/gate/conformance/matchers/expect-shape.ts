import { CaseFailure } from '../case-failure.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object. @throws CaseFailure */
export function expectObject(value: unknown, at: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject
  }
  throw new CaseFailure({ at, expected: 'an object', actual: value })
}

/** A JSON array, of `length` elements when given. @throws CaseFailure */
export function expectArray(value: unknown, at: string, length?: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new CaseFailure({ at, expected: 'an array', actual: value })
  if (length !== undefined && value.length !== length) {
    throw new CaseFailure({ at: `${at}.length`, expected: length, actual: value.length })
  }
  return value
}

/** A string. @throws CaseFailure */
export function expectString(value: unknown, at: string): string {
  if (typeof value === 'string') return value
  throw new CaseFailure({ at, expected: 'a string', actual: value })
}

/** Every one of `keys`; others are allowed. @throws CaseFailure */
export function expectKeys(value: JsonObject, keys: readonly string[], at: string): void {
  const missing = keys.filter((key) => !(key in value))
  if (missing.length === 0) return
  throw new CaseFailure({
    at,
    expected: [...keys].sort(),
    actual: Object.keys(value).sort(),
    hint: `Missing: ${missing.join(', ')}.`,
  })
}

/** Exactly `keys`. @throws CaseFailure */
export function expectExactKeys(value: JsonObject, keys: readonly string[], at: string): void {
  expectKeys(value, keys, at)
  const extra = Object.keys(value).filter((key) => !keys.includes(key))
  if (extra.length === 0) return
  throw new CaseFailure({
    at,
    expected: [...keys].sort(),
    actual: Object.keys(value).sort(),
    hint: `Not in the spec: ${extra.join(', ')}.`,
  })
}
