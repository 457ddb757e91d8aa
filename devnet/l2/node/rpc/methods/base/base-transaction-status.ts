import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { isSealed } from '#devnet/l2/node/chain-view'
import type { NodeMethod } from '../../node-rpc.ts'

/**
 * `base_transactionStatus [hash]`: `{status: "Known"}` from when the transaction is in the pool until
 * it is sealed, else `{status: "Unknown"}`. @throws JsonRpcError -32602
 */
export const baseTransactionStatus: NodeMethod = (rpc, params) => {
  const hash = parseHash(positional(params)[0], 'hash')
  const found = rpc.chain.findTransaction(hash)
  const isKnown = found ? !isSealed(found.block) : rpc.chain.pooledTransaction(hash) !== undefined
  return { status: isKnown ? 'Known' : 'Unknown' }
}
