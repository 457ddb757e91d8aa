import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { placeOf } from '../../json/place-of.ts'
import { receiptJson } from '../../json/receipt-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction } from '../../selector/find-transaction.ts'

/**
 * `eth_getTransactionReceipt [hash]`: from pre-confirmation on; null before and when unknown.
 * @throws JsonRpcError -32602
 */
export const ethGetTransactionReceipt: NodeMethod = (rpc, params) => {
  const found = findTransaction(rpc, parseHash(positional(params)[0], 'hash'))
  if (!found) return null
  const { block, index } = found
  return rpc.json.result(block.receipts[index]!, placeOf(block), () => receiptJson(block, index))
}
