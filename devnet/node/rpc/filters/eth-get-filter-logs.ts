import { positional } from '../../../json-rpc/params/positional.ts'
import { ethGetLogs } from '../methods/eth-get-logs.ts'
import type { NodeMethod } from '../node-rpc.ts'
import { filterRegistryOf } from './filter-registry-of.ts'
import { parseFilterId } from './parse-filter-id.ts'

/**
 * `eth_getFilterLogs [id]`: what `eth_getLogs` answers to the filter of `eth_newFilter`.
 * @throws JsonRpcError as `eth_getLogs` does; -32000 `filter not found`
 */
export const ethGetFilterLogs: NodeMethod = (rpc, params, context) => {
  const filter = filterRegistryOf(rpc).logFilter(parseFilterId(positional(params)[0]))
  return ethGetLogs(rpc, [filter], context)
}
