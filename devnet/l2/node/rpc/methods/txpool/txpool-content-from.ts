import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { pooledTransactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { poolBySender } from './pool-content.ts'

/** `txpool_contentFrom [address]` → what of one sender waits, as objects by nonce. @throws JsonRpcError -32602 */
export const txpoolContentFrom: NodeMethod = (rpc, params) => {
  const sender = parseAddress(positional(params)[0], 'address')
  const { pending, queued } = poolBySender(rpc, pooledTransactionJson)
  return { pending: pending[sender] ?? {}, queued: queued[sender] ?? {} }
}
