import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/** `eth_getBalance [address, block?]`, in wei. @throws JsonRpcError -32602, -32001 */
export const ethGetBalance: NodeMethod = (rpc, params) => {
  const [addressParam, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const { header } = requireBlock(rpc, parseOptionalStateSelector(block, 'block', 'latest'))
  return toQuantity(rpc.chain.account(header.stateRoot, address)?.balance ?? 0n)
}
