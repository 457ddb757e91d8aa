import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { blockJson } from '../../json/block-json.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { findBlock } from '../../selector/find-block.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'

/**
 * `eth_getHeaderByNumber [block]`: a block without what it holds, or null.
 * @throws JsonRpcError -32602
 */
export const ethGetHeaderByNumber: NodeMethod = (rpc, params) => {
  const found = findBlock(rpc, parseBlockSelector(positional(params)[0], 'block'))
  return found ? headerJson(rpc, found) : null
}

/** `eth_getHeaderByHash [hash]`: a sealed block without what it holds, or null. @throws JsonRpcError -32602 */
export const ethGetHeaderByHash: NodeMethod = (rpc, params) => {
  const block = rpc.chain.blockByHash(parseHash(positional(params)[0], 'hash'))
  return block ? headerJson(rpc, block) : null
}

function headerJson({ profile }: NodeRpc, block: ReadableBlock) {
  const whole = blockJson(block, false, profile)
  const { transactions: _, uncles: __, withdrawals: ___, ...header } = whole
  return header
}
