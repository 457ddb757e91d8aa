import { bytesToHex } from '../../../../../enclave-sim/protocol/bytes/bytes-to-hex.ts'
import { encodeBlock } from '../../../../../enclave-sim/protocol/execution/block.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
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
