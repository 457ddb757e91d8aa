import { isDeepStrictEqual } from 'node:util'
import { CaseFailure } from '../case-failure.ts'

/** The same JSON value, member order aside. @throws CaseFailure */
export function expectEqual(actual: unknown, expected: unknown, at: string, hint?: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new CaseFailure({ at, expected, actual, ...(hint ? { hint } : {}) })
}

/** Anything but this value. @throws CaseFailure */
export function expectDifferent(actual: unknown, other: unknown, at: string, hint?: string): void {
  if (!isDeepStrictEqual(actual, other)) return
  throw new CaseFailure({ at, expected: { not: other }, actual, ...(hint ? { hint } : {}) })
}

/** A condition that has no single expected value; `expected` says it in words. @throws CaseFailure */
export function expectThat(
  holds: boolean,
  expected: string,
  actual: unknown,
  at: string,
  hint?: string,
): asserts holds {
  if (holds) return
  throw new CaseFailure({ at, expected, actual, ...(hint ? { hint } : {}) })
}
