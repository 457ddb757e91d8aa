import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { Failure, Play } from './failure.ts'
import { historyOf } from './history-of.ts'

/**
 * Corpora as one. Whatever is joined first, and however often, the outcome is the same:
 * - two failures of one key are one;
 * - of two plans the smaller is kept: fewer faults, then less time, then less load, then by its text;
 * - what was seen on each build is kept of both; where they differ it broke, at the earlier time.
 *
 * @returns the oldest first
 */
export function joinFailures(...corpora: readonly (readonly Failure[])[]): Failure[] {
  const joined = new Map<string, Failure>()
  for (const failure of corpora.flat()) {
    const known = joined.get(failure.key)
    joined.set(failure.key, known ? joinTwo(known, failure) : failure)
  }
  return [...joined.values()].sort(byAge)
}

function joinTwo(one: Failure, other: Failure): Failure {
  const plan = compare(sizeOf(one.plan), sizeOf(other.plan)) <= 0 ? one.plan : other.plan
  const plays: Record<string, Play> = { ...one.plays }
  for (const [build, play] of Object.entries(other.plays)) {
    const known = plays[build]
    plays[build] = known ? joinPlays(known, play) : play
  }
  return { ...one, plan, plays }
}

const joinPlays = (one: Play, other: Play): Play => ({
  at: [one.at, other.at].sort()[0]!,
  broke: one.broke || other.broke,
})

function sizeOf(plan: FaultPlan): (number | string)[] {
  const load = Object.values(plan.load).reduce((sum, rate) => sum + rate, 0)
  return [plan.faults.length, plan.duration, load, JSON.stringify(plan)]
}

/** Since when it is known, and its key where that is the same. */
function byAge(one: Failure, other: Failure): number {
  const age = (failure: Failure) => [historyOf(failure).since.at, failure.key]
  return compare(age(one), age(other))
}

/** Member by member. */
function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  for (const [index, value] of one.entries()) {
    const against = other[index]!
    if (value !== against) return value < against ? -1 : 1
  }
  return 0
}
