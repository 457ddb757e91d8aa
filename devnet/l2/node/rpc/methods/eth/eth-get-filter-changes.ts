import { positional } from '#devnet/base/json-rpc/params/positional'
import { filterRegistryOf } from '../../filters/filter-registry-of.ts'
import { parseFilterId } from '../../filters/parse-filter-id.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/**
 * `eth_getFilterChanges [id]`: what the filter has caught since it was asked last.
 * @throws JsonRpcError -32602; -32000 `filter not found`, also when nobody asked for 5 minutes
 */
export const ethGetFilterChanges: NodeMethod = (rpc, params) =>
  filterRegistryOf(rpc).takeChanges(parseFilterId(positional(params)[0]))
