import { type DiffLine, diffLines, toText } from './diff-lines.ts'

/** How a matcher says that a member may hold any value of a kind, or none at all. */
const ANY_STRING = 'a string'
const ABSENT = '(absent)'

/**
 * The lines of what was expected and what came. Members that are equal stand side by side, in whatever
 * order they came, and what the expectation leaves open is not marked as a difference.
 */
export function diffValues(expected: unknown, actual: unknown): DiffLine[] {
  const wanted = fillIn(expected, actual)
  return diffLines(toText(wanted), toText(inOrderOf(wanted, actual)))
}

function fillIn(expected: unknown, actual: unknown): unknown {
  if (expected === ANY_STRING && typeof actual === 'string') return actual
  if (!isObject(expected) || !isObject(actual)) return expected
  return Object.fromEntries(
    Object.entries(expected)
      .filter(([name, value]) => value !== ABSENT || name in actual)
      .map(([name, value]) => [name, fillIn(value, actual[name])]),
  )
}

function inOrderOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((each, index) => inOrderOf(expected[index], each))
  }
  if (!isObject(expected) || !isObject(actual)) return actual
  const names = Object.keys(expected).filter((name) => name in actual)
  const rest = Object.keys(actual).filter((name) => !names.includes(name))
  return Object.fromEntries(
    [...names, ...rest].map((name) => [name, inOrderOf(expected[name], actual[name])]),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
