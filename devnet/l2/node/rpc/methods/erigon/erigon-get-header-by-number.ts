import { positional } from '#devnet/base/json-rpc/params/positional'
import { blockJson } from '../../json/block-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { findBlock } from '../../selector/find-block.ts'
import { parsePlainBlock } from '../ots/parse-plain-number.ts'

/**
 * `erigon_getHeaderByNumber [block]`: a block without its transactions, or null. Otterscan asks for
 * it to see whether a node is one that it can use.
 * @throws JsonRpcError -32602
 */
export const erigonGetHeaderByNumber: NodeMethod = (rpc, params) => {
  const block = findBlock(rpc, parsePlainBlock(positional(params)[0], 'block'))
  if (!block) return null
  const { transactions: _, uncles: __, ...header } = blockJson(block, false, rpc.profile)
  return header
}
