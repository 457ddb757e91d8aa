import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { encodeReceipt } from '#protocol/execution/receipt'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseStateSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'

/** `debug_getRawReceipts [block]`: EIP-2718 receipts. @throws JsonRpcError -32602, -32001 */
export const debugGetRawReceipts: NodeMethod = (rpc, params) => {
  const { receipts } = requirePublishedBlock(
    rpc,
    parseStateSelector(positional(params)[0], 'block'),
  )
  return receipts.map((receipt) => bytesToHex(encodeReceipt(receipt)))
}
