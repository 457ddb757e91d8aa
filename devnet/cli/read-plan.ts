import { readFileSync } from 'node:fs'
import { type FaultPlan, parseFaultPlan } from '#devnet/faults/fault-plan'
import { UsageError } from './usage-error.ts'

/**
 * A plan of faults as users give it.
 * @param given a file's name, or the plan itself, as in `{"faults": […]}`
 * @throws UsageError; RollbedError FAULT_PLAN_INVALID
 */
export function readPlan(given: string): FaultPlan {
  const isPlan = given.trimStart().startsWith('{')
  const source = isPlan ? 'the plan' : given
  try {
    return parseFaultPlan(JSON.parse(isPlan ? given : readFileSync(given, 'utf8')), source)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === 'FAULT_PLAN_INVALID') throw error
    throw new UsageError(`No plan can be read from ${source}: ${message}`)
  }
}
