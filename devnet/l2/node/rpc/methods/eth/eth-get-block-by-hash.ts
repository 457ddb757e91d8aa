import { parseFlag } from '#devnet/base/json-rpc/params/parse-boolean'
import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { keptBlockJson } from '../../json/kept-block-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_getBlockByHash [hash, fullTransactions]`: a sealed block or null. @throws JsonRpcError -32602 */
export const ethGetBlockByHash: NodeMethod = (rpc, params) => {
  const [hash, fullTransactions] = positional(params)
  const block = rpc.chain.blockByHash(parseHash(hash, 'hash'))
  const full = parseFlag(fullTransactions, 'fullTransactions')
  return block ? keptBlockJson(rpc, block, full) : null
}
