import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/** `eth_getCode [address, block?]`, 0x where there is none. @throws JsonRpcError -32602, -32001 */
export const ethGetCode: NodeMethod = (rpc, params) => {
  const [addressParam, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const { header } = requireBlock(rpc, parseOptionalStateSelector(block, 'block', 'latest'))
  const account = rpc.chain.account(header.stateRoot, address)
  return account ? bytesToHex(rpc.chain.code(account.codeHash)) : '0x'
}
