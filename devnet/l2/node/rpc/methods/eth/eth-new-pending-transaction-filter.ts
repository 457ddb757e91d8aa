import { parseFlag } from '#devnet/base/json-rpc/params/parse-boolean'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { filterRegistryOf } from '../../filters/filter-registry-of.ts'
import { pooledTransactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/**
 * `eth_newPendingTransactionFilter [full?]`: an id. Its changes are the hashes, or all of them if
 * `full`, of transactions that come into the pool from now on.
 * @throws JsonRpcError -32602; -32005 when there are too many filters
 */
export const ethNewPendingTransactionFilter: NodeMethod = (rpc, params) => {
  const isFull = parseFlag(positional(params)[0], 'full')
  return filterRegistryOf(rpc).install((push) =>
    rpc.chain.on('pooled', (transaction) =>
      push(isFull ? pooledTransactionJson(transaction) : transaction.hash),
    ),
  )
}
