import { parseFlag } from '../../../../json-rpc/params/parse-boolean.ts'
import { parseHash } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import { keptBlockJson } from '../../json/kept-block-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_getBlockByHash [hash, fullTransactions]`: a sealed block or null. @throws JsonRpcError -32602 */
export const ethGetBlockByHash: NodeMethod = (rpc, params) => {
  const [hash, fullTransactions] = positional(params)
  const block = rpc.chain.blockByHash(parseHash(hash, 'hash'))
  const full = parseFlag(fullTransactions, 'fullTransactions')
  return block ? keptBlockJson(rpc, block, full) : null
}
