import { positional } from '#devnet/base/json-rpc/params/positional'
import { filterRegistryOf } from '../../filters/filter-registry-of.ts'
import { parseFilterId } from '../../filters/parse-filter-id.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_uninstallFilter [id]`: whether it was there. @throws JsonRpcError -32602 */
export const ethUninstallFilter: NodeMethod = (rpc, params) =>
  filterRegistryOf(rpc).uninstall(parseFilterId(positional(params)[0]))
