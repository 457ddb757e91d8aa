import { filterRegistryOf } from '../../filters/filter-registry-of.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/**
 * `eth_newBlockFilter`: an id. Its changes are the hashes of blocks sealed from now on.
 * @throws JsonRpcError -32005 when there are too many filters
 */
export const ethNewBlockFilter: NodeMethod = (rpc) =>
  filterRegistryOf(rpc).install((push) => rpc.chain.on('sealed', ({ hash }) => push(hash)))
