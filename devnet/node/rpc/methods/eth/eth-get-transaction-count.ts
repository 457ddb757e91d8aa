import { bigIntMax } from '@ethereumjs/util'
import { parseAddress } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/**
 * `eth_getTransactionCount [address, block?]`: the account's nonce. At `pending` pooled transactions
 * count too, so that a wallet may send several in a row.
 *
 * @throws JsonRpcError -32602, -32001
 */
export const ethGetTransactionCount: NodeMethod = (rpc, params) => {
  const [addressParam, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const selector = parseOptionalStateSelector(block, 'block', 'latest')
  const { header } = requireBlock(rpc, selector)
  const nonce = rpc.chain.account(header.stateRoot, address)?.nonce ?? 0n
  const countsPool = selector === 'pending' && rpc.profile.nonceAtPending === 'counts the pool'
  const pooled = countsPool ? rpc.chain.nextPoolNonce?.(address) : undefined
  return toQuantity(bigIntMax(nonce, pooled ?? 0n))
}
