import { positional } from '../../../json-rpc/params/positional.ts'
import type { NodeMethod } from '../node-rpc.ts'
import { filterRegistryOf } from './filter-registry-of.ts'
import { parseFilterId } from './parse-filter-id.ts'

/** `eth_uninstallFilter [id]`: whether it was there. @throws JsonRpcError -32602 */
export const ethUninstallFilter: NodeMethod = (rpc, params) =>
  filterRegistryOf(rpc).uninstall(parseFilterId(positional(params)[0]))
