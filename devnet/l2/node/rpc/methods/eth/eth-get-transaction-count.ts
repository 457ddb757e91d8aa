import { bigIntMax } from '@ethereumjs/util'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Address } from '#protocol/types/bytes'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/**
 * `eth_getTransactionCount [address, block?]`: the account's nonce. At `pending` waiting transactions
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
  if (selector !== 'pending') return toQuantity(nonce)
  return toQuantity(bigIntMax(nonce, waitingNonce(rpc, address)))
}

/** Without pre-confirmations what is pre-confirmed still waits: it counts as the pool does. */
function waitingNonce({ chain, preconfirmations }: NodeRpc, address: Address): bigint {
  const pooled = chain.nextPoolNonce(address) ?? 0n
  if (preconfirmations) return pooled
  const building = chain.pending()
  const account = building && chain.account(building.header.stateRoot, address)
  return bigIntMax(pooled, account?.nonce ?? 0n)
}
