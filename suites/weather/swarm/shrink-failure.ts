import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { Violation } from '../checkers/checker.ts'
import { shrinkPlan } from './shrink-plan.ts'

/**
 * The smallest plan by which one of the same sentences is broken.
 *
 * @param violations what the plan broke
 * @param play plays another plan in a world of its own
 */
export function shrinkFailure(
  plan: FaultPlan,
  violations: readonly Violation[],
  play: (plan: FaultPlan) => Promise<{ violations: readonly Violation[] }>,
): Promise<{ plan: FaultPlan; plays: number }> {
  const broken = new Set(violations.map(({ checker }) => checker))
  return shrinkPlan(plan, async (smaller) => {
    const run = await play(smaller)
    return run.violations.some(({ checker }) => broken.has(checker))
  })
}
