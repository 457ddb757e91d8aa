import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { findBlock } from '../../selector/find-block.ts'

/** `eth_getUncleCountByBlockNumber [block]`: 0x0, or null. @throws JsonRpcError -32602 */
export const ethGetUncleCountByBlockNumber: NodeMethod = (rpc, params) =>
  findBlock(rpc, parseBlockSelector(positional(params)[0], 'block')) ? '0x0' : null

/** `eth_getUncleCountByBlockHash [hash]`: 0x0, or null. @throws JsonRpcError -32602 */
export const ethGetUncleCountByBlockHash: NodeMethod = (rpc, params) =>
  findBlock(rpc, { hash: parseHash(positional(params)[0], 'hash') }) ? '0x0' : null

/** `eth_getUncleByBlockNumberAndIndex [block, index]`: null. @throws JsonRpcError -32602 */
export const ethGetUncleByBlockNumberAndIndex: NodeMethod = (_, params) => {
  const [block, index] = positional(params)
  parseBlockSelector(block, 'block')
  parseQuantity(index, 'index', 64)
  return null
}

/** `eth_getUncleByBlockHashAndIndex [hash, index]`: null. @throws JsonRpcError -32602 */
export const ethGetUncleByBlockHashAndIndex: NodeMethod = (_, params) => {
  const [hash, index] = positional(params)
  parseHash(hash, 'hash')
  parseQuantity(index, 'index', 64)
  return null
}
