import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { findBlock } from '../../selector/find-block.ts'

/** `eth_getBlockTransactionCountByNumber [block]`, or null. @throws JsonRpcError -32602 */
export const ethGetBlockTransactionCountByNumber: NodeMethod = (rpc, params) => {
  const block = findBlock(rpc, parseBlockSelector(positional(params)[0], 'block'))
  return block ? toQuantity(block.transactions.length) : null
}

/** `eth_getBlockTransactionCountByHash [hash]`, or null. @throws JsonRpcError -32602 */
export const ethGetBlockTransactionCountByHash: NodeMethod = (rpc, params) => {
  const block = rpc.chain.blockByHash(parseHash(positional(params)[0], 'hash'))
  return block ? toQuantity(block.transactions.length) : null
}
