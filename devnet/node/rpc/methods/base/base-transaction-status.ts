import { parseHash } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import { isSealed } from '../../../chain-view.ts'
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
