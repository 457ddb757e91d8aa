import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/** `eth_getAccountInfo [address, block?]` → balance, nonce and code at once, as reth. @throws JsonRpcError -32602, -32001 */
export const ethGetAccountInfo: NodeMethod = ({ chain, ...rpc }, params) => {
  const [addressParam, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const selector = parseOptionalStateSelector(block, 'block', 'latest')
  const { header } = requireBlock({ chain, ...rpc }, selector)
  const account = chain.account(header.stateRoot, address)
  return {
    balance: toQuantity(account?.balance ?? 0n),
    nonce: toQuantity(account?.nonce ?? 0n),
    code: account ? bytesToHex(chain.code(account.codeHash)) : '0x',
  }
}
