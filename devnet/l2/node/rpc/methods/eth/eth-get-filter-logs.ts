import { positional } from '#devnet/base/json-rpc/params/positional'
import { filterRegistryOf } from '../../filters/filter-registry-of.ts'
import { parseFilterId } from '../../filters/parse-filter-id.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { ethGetLogs } from './eth-get-logs.ts'

/**
 * `eth_getFilterLogs [id]`: what `eth_getLogs` answers to the filter of `eth_newFilter`.
 * @throws JsonRpcError as `eth_getLogs` does; -32000 `filter not found`
 */
export const ethGetFilterLogs: NodeMethod = (rpc, params, context) => {
  const filter = filterRegistryOf(rpc).logFilter(parseFilterId(positional(params)[0]))
  return ethGetLogs(rpc, [filter], context)
}
