import { positional } from '#devnet/base/json-rpc/params/positional'
import { receiptJson } from '../../json/receipt-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseStateSelector } from '../../selector/block-selector.ts'
import { findBlock } from '../../selector/find-block.ts'

/** `eth_getBlockReceipts [block]`: all receipts, or null. @throws JsonRpcError -32602 */
export const ethGetBlockReceipts: NodeMethod = (rpc, params) => {
  const block = findBlock(rpc, parseStateSelector(positional(params)[0], 'block'))
  if (!block) return null
  return rpc.json.result(block, 'receipts', () =>
    block.receipts.map((_, index) => receiptJson(block, index)),
  )
}
