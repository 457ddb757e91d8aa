import { parseBoolean } from '#devnet/base/json-rpc/params/parse-boolean'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { keptBlockJson } from '../../json/kept-block-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { findBlock } from '../../selector/find-block.ts'

/**
 * `eth_getBlockByNumber [block, fullTransactions]`: a sealed block, the one being built at
 * `pending`, or null. Rules RPC-BLK-*, RPC-PEND-*.
 *
 * @throws JsonRpcError -32602
 */
export const ethGetBlockByNumber: NodeMethod = (rpc, params) => {
  const [block, fullTransactions] = positional(params)
  const selector = parseBlockSelector(block, 'block')
  const full = parseBoolean(fullTransactions, 'fullTransactions')
  const found = findBlock(rpc, selector)
  return found ? keptBlockJson(rpc, found, full) : null
}
