import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { transactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { type BlockSelector, parseBlockSelector } from '../../selector/block-selector.ts'
import { findBlock } from '../../selector/find-block.ts'

/** `eth_getTransactionByBlockNumberAndIndex [block, index]`, or null. @throws JsonRpcError -32602 */
export const ethGetTransactionByBlockNumberAndIndex: NodeMethod = (rpc, params) => {
  const [block, index] = positional(params)
  return transactionAt(rpc, parseBlockSelector(block, 'block'), index)
}

/** `eth_getTransactionByBlockHashAndIndex [hash, index]`, or null. @throws JsonRpcError -32602 */
export const ethGetTransactionByBlockHashAndIndex: NodeMethod = (rpc, params) => {
  const [hash, index] = positional(params)
  return transactionAt(rpc, { hash: parseHash(hash, 'hash') }, index)
}

function transactionAt(rpc: NodeRpc, selector: BlockSelector, indexParam: unknown) {
  const index = Number(parseQuantity(indexParam, 'index', 64))
  const block = findBlock(rpc, selector)
  return block && index < block.transactions.length
    ? transactionJson(block, index, rpc.profile)
    : null
}
