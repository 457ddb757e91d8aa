/** Answers that an expectation may refer to. */
export interface References {
  /** The newest block when the case began. */
  latest: Record<string, unknown>
  /** The result itself: `= 0.hash`. */
  [element: number]: Record<string, unknown>
}

/**
 * Compares a part of an answer with what is expected of it. Objects need only hold the members that
 * are expected, lists have the expected length. Words with a meaning: `<absent>`, `<hash>` for any 32
 * bytes but zero, `<N zero bytes>`, and `= PATH + N` for another value of the answers, or a number
 * counted from it.
 *
 * @returns one line per difference
 */
export function mismatches(
  actual: unknown,
  expected: unknown,
  references: References,
  path = 'result',
): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [differs(path, actual, expected)]
    if (actual.length !== expected.length) {
      return [`${path}: has ${actual.length} elements, not ${expected.length}`]
    }
    return expected.flatMap((element, index) =>
      mismatches(actual[index], element, references, `${path}[${index}]`),
    )
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return [differs(path, actual, expected)]
    return Object.entries(expected).flatMap(([key, value]) =>
      mismatches((actual as Record<string, unknown>)[key], value, references, `${path}.${key}`),
    )
  }
  return isExpected(actual, resolve(expected, references)) ? [] : [differs(path, actual, expected)]
}

/** What `= PATH + N` and `<N zero bytes>` stand for, anywhere in a value; all else as it is. */
export function resolve(value: unknown, references: References): unknown {
  if (Array.isArray(value)) return value.map((element) => resolve(element, references))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([key, inner]) => [key, resolve(inner, references)]))
  }
  const zeros = typeof value === 'string' && /^<(\d+) zero bytes>$/.exec(value)
  if (zeros) return `0x${'00'.repeat(Number(zeros[1]))}`
  const reference = typeof value === 'string' && /^= (\S+)(?: \+ (\d+))?$/.exec(value)
  if (!reference) return value
  const [, path, more] = reference
  const target = path!
    .split('.')
    .reduce<unknown>((from, key) => Object(from)[key] as unknown, references)
  return more ? `0x${(BigInt(target as string) + BigInt(more)).toString(16)}` : target
}

function isExpected(actual: unknown, expected: unknown): boolean {
  if (expected === '<absent>') return actual === undefined
  if (expected === '<hash>') return /^0x(?!0{64})[0-9a-f]{64}$/.test(String(actual))
  return actual === expected
}

function differs(path: string, actual: unknown, expected: unknown): string {
  return `${path}: is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`
}
