import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { faultsOf } from './faults-of.ts'

/**
 * `rollbed_faultInject [target, fault, with]`: brings a fault about until it is cleared; targets,
 * faults and what they are told are those of faults.md. Returns it with its `id`.
 *
 * @throws JsonRpcError -32602
 */
export const rollbedFaultInject: CheatMethod = (rpc, params) => {
  const [target, fault, parameters] = positional(params)
  for (const [name, value] of Object.entries({ target, fault })) {
    if (typeof value !== 'string') throw invalidParams(`${name}: must be a string`)
  }
  const parsed =
    parameters === undefined || parameters === null ? {} : parseRecord(parameters, 'with')
  return faultsOf(rpc).inject(String(target), String(fault), parsed)
}
