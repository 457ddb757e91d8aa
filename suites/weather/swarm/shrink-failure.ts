import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { Violation } from '../checkers/checker.ts'
import { shrinkPlan } from './shrink-plan.ts'

/** The smallest plan, how many were played for it, and what it breaks of what the first broke. */
export interface ShrunkFailure {
  plan: FaultPlan
  plays: number
  violations: Violation[]
}

/**
 * The smallest plan by which one of the same sentences is broken.
 *
 * @param violations what the plan broke
 * @param play plays another plan in a world of its own
 */
export async function shrinkFailure(
  plan: FaultPlan,
  violations: readonly Violation[],
  play: (plan: FaultPlan) => Promise<{ violations: readonly Violation[] }>,
): Promise<ShrunkFailure> {
  const broken = new Set(violations.map(({ checker }) => checker))
  let left = [...violations]
  const smallest = await shrinkPlan(plan, async (smaller) => {
    const run = await play(smaller)
    const same = run.violations.filter(({ checker }) => broken.has(checker))
    if (same.length > 0) left = same
    return same.length > 0
  })
  return { ...smallest, violations: left }
}
