import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction, waitingTransaction } from '../../selector/find-transaction.ts'

/** `debug_getRawTransaction [hash]`: EIP-2718 bytes, or null. @throws JsonRpcError -32602 */
export const debugGetRawTransaction: NodeMethod = (rpc, params) => {
  const hash = parseHash(positional(params)[0], 'hash')
  const found = findTransaction(rpc, hash)
  const transaction = found ? found.block.transactions[found.index] : waitingTransaction(rpc, hash)
  return transaction ? bytesToHex(transaction.raw) : null
}
