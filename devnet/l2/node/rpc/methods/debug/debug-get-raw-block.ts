import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { encodeBlock } from '#protocol/execution/block'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseStateSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'

/** `debug_getRawBlock [block]`: RLP of the block. @throws JsonRpcError -32602, -32001 */
export const debugGetRawBlock: NodeMethod = (rpc, params) => {
  const { header, transactions } = requirePublishedBlock(
    rpc,
    parseStateSelector(positional(params)[0], 'block'),
  )
  return bytesToHex(encodeBlock({ header, transactions: [...transactions] }))
}
