import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from './read-vectors.ts'

type Response = Exchange['response']

/**
 * How an answer stands to the one that a vector has.
 * - `exact`: every member and value, of errors too; the order of members is nobody's concern.
 * - `worded`: the same refusal with the same code, and the data that is asked for, in other words.
 * - `shape`: a vector that only gives the shape, and the shape is that.
 */
export type Agreement = 'exact' | 'worded' | 'shape' | 'differs'

export function compareAnswer(
  actual: Response,
  expected: Response,
  isShapeOnly: boolean,
): { agreement: Agreement; where: string } {
  const fits = (agreement: Agreement) => ({ agreement, where: '' })
  if (isDeepStrictEqual(actual, expected)) return fits('exact')
  if (isShapeOnly) {
    const where = firstDifference(shapeOf(actual), shapeOf(expected))
    return where === undefined ? fits('shape') : { agreement: 'differs', where }
  }
  const { error } = expected
  const hasData = error?.data === undefined || actual.error?.data === error.data
  if (error && actual.error?.code === error.code && hasData) return fits('worded')
  const where = firstDifference(actual, expected) ?? '(only in the order of what is equal)'
  return { agreement: 'differs', where }
}

/** `path: actual, not expected`. */
function firstDifference(actual: unknown, expected: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  if (!isObject(actual) || !isObject(expected)) {
    return `${path || 'answer'}: ${brief(actual)}, not ${brief(expected)}`
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const below = firstDifference(actual[key], expected[key], path ? `${path}.${key}` : key)
    if (below !== undefined) return below
  }
  return undefined
}

/** Each value replaced by its kind; of a list, its first entry. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
  }
  return value === null ? 'null' : typeof value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 90 ? `${text.slice(0, 90)}…` : text
}
