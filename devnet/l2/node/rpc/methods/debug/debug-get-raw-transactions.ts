import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseStateSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'

/** `debug_getRawTransactions [block]`: EIP-2718 bytes of each, as reth. @throws JsonRpcError -32602, -32001 */
export const debugGetRawTransactions: NodeMethod = (rpc, params) => {
  const { transactions } = requirePublishedBlock(
    rpc,
    parseStateSelector(positional(params)[0], 'block'),
  )
  return transactions.map(({ raw }) => bytesToHex(raw))
}
