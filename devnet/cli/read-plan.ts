import { readFileSync } from 'node:fs'
import { type FaultPlan, parseFaultPlan } from '#devnet/faults/fault-plan'
import { UsageError } from './usage-error.ts'

/**
 * A plan of faults as users give it.
 * @param told a file's name, or the plan itself, as in `{"faults": […]}`
 * @throws UsageError; RollbedError FAULT_PLAN_INVALID
 */
export function readPlan(told: string): FaultPlan {
  const isPlan = told.trimStart().startsWith('{')
  const source = isPlan ? 'the plan' : told
  try {
    return parseFaultPlan(JSON.parse(isPlan ? told : readFileSync(told, 'utf8')), source)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === 'FAULT_PLAN_INVALID') throw error
    throw new UsageError(`No plan can be read from ${source}: ${message}`)
  }
}
