import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { faultsOf } from './faults-of.ts'

/**
 * `rollbed_faultClear [id]`: ends one fault, or all without an id. Returns how many.
 *
 * @throws JsonRpcError -32602
 */
export const rollbedFaultClear: CheatMethod = (rpc, params) => {
  const [id] = positional(params)
  if (id === undefined || id === null) return faultsOf(rpc).clear()
  if (typeof id !== 'number') throw invalidParams('id: must be a number')
  return faultsOf(rpc).clear(id)
}
