import type { CheatMethod } from '../cheat-rpc.ts'
import { faultsOf } from './faults-of.ts'

/**
 * `rollbed_faultList []`: `{active, targets}`, the faults that last, and what can be done to what
 * in this devnet.
 */
export const rollbedFaultList: CheatMethod = (rpc) => {
  const engine = faultsOf(rpc)
  return { active: engine.list(), targets: engine.targets() }
}
