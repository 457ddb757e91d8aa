import { bytesToHex } from '../../../../../enclave-sim/protocol/bytes/bytes-to-hex.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
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
