import type { Outcome } from './outcome.ts'

/** Why some of a stranger's tests fail: those whose error, or title, has these words. */
export interface KnownFailure {
  reason: string
  /** A regular expression. */
  error?: string
  /** A regular expression; with `error` both hold. */
  title?: string
}

export interface SortedOutcomes {
  passed: number
  failed: Outcome[]
  /** The most frequent first; of a failure that two entries know the first counts. */
  byReason: { reason: string; count: number }[]
  /** Failures that nothing explains. */
  unknown: Outcome[]
}

/** What became of a run, held against the list of what is known to fail. */
export function sortOutcomes(
  outcomes: readonly Outcome[],
  known: readonly KnownFailure[],
): SortedOutcomes {
  const failed = outcomes.filter(({ state }) => state === 'fail')
  const counts = new Map<string, number>()
  const unknown: Outcome[] = []
  for (const outcome of failed) {
    const entry = known.find((each) => explains(each, outcome))
    if (entry) counts.set(entry.reason, (counts.get(entry.reason) ?? 0) + 1)
    else unknown.push(outcome)
  }
  const byReason = [...counts].map(([reason, count]) => ({ reason, count }))
  return {
    passed: outcomes.filter(({ state }) => state === 'pass').length,
    failed,
    byReason: byReason.sort((a, b) => b.count - a.count),
    unknown,
  }
}

function explains({ error, title }: KnownFailure, outcome: Outcome): boolean {
  const isError = error === undefined || new RegExp(error).test(outcome.message ?? '')
  return isError && (title === undefined || new RegExp(title).test(outcome.title))
}
