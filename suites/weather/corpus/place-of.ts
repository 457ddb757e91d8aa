import { createHash } from 'node:crypto'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { Violation } from '../checkers/checker.ts'
import type { Failure } from './failure.ts'

/** What broke, and where: all that tells one failure from another. */
export type Place = Pick<Failure, 'key' | 'checker' | 'problem' | 'where' | 'body'>

/**
 * The key of a failure: the sentence that was broken first, without numbers and hashes, and the targets of
 * the faults that are left in its smallest plan. Which fault it was does not count: a node that was killed
 * and one that was restarted died both.
 *
 * @param violation the first
 * @param plan as small as it can be
 */
export function placeOf(violation: Violation, plan: FaultPlan, body: Failure['body']): Place {
  const { checker } = violation
  const problem = plainProblem(violation.problem)
  const where = targetsOf(plan)
  const text = JSON.stringify([body, checker, problem, where])
  const key = `${checker}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
  return { key, checker, problem, where, body }
}

/** A sentence without what another run has otherwise. */
export function plainProblem(problem: string): string {
  return problem.replaceAll(/0x[0-9a-f]+/gi, '0x…').replaceAll(/\d+/g, 'N')
}

/** The targets of a plan's faults, each once, sorted. */
export function targetsOf({ faults }: FaultPlan): string[] {
  return [...new Set(faults.map(({ target }) => target))].sort()
}
