import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { encodeHeader } from '#protocol/execution/header'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseStateSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'

/** `debug_getRawHeader [block]`: RLP of the header. @throws JsonRpcError -32602, -32001 */
export const debugGetRawHeader: NodeMethod = (rpc, params) => {
  const { header } = requirePublishedBlock(rpc, parseStateSelector(positional(params)[0], 'block'))
  return bytesToHex(encodeHeader(header))
}
