import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { pooledTransactionJson, transactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction, waitingTransaction } from '../../selector/find-transaction.ts'

/**
 * `eth_getTransactionByHash [hash]`: sealed, pre-confirmed or pooled; null when unknown.
 * @throws JsonRpcError -32602
 */
export const ethGetTransactionByHash: NodeMethod = (rpc, params) => {
  const hash = parseHash(positional(params)[0], 'hash')
  const found = findTransaction(rpc, hash)
  if (found) return transactionJson(found.block, found.index, rpc.profile)
  const waiting = waitingTransaction(rpc, hash)
  return waiting ? pooledTransactionJson(waiting) : null
}
