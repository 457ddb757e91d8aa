import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { requireBlock } from '../../selector/find-block.ts'
import { parsePlainBlock } from './parse-plain-number.ts'

/** `ots_hasCode [address, block]`: whether there is code. @throws JsonRpcError -32602, -32001, 4444 */
export const otsHasCode: NodeMethod = (rpc, params) => {
  const [addressParam, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const { header } = requireBlock(rpc, parsePlainBlock(block, 'block'))
  const account = rpc.chain.account(header.stateRoot, address)
  return account !== undefined && rpc.chain.code(account.codeHash).length > 0
}
