import { CaseFailure } from '../case-failure.ts'

/** The failure that a matcher throws. @throws what it throws besides, and when it lets all pass */
export function failureOf(matcher: () => void): CaseFailure {
  try {
    matcher()
  } catch (error) {
    if (error instanceof CaseFailure) return error
    throw error
  }
  throw new Error('the matcher let it pass')
}
