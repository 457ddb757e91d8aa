import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { isDeposit } from '#protocol/types/transaction'
import type { NodeMethod } from '../../node-rpc.ts'
import { firstBlockWhere } from './first-block-where.ts'
import { parsePlainNumber } from './parse-plain-number.ts'

/**
 * `ots_getTransactionBySenderAndNonce [address, nonce]`: the hash of the sealed transaction that used
 * this nonce, or null.
 * @throws JsonRpcError -32602; 4444 when a state is gone that must be looked at
 */
export const otsGetTransactionBySenderAndNonce: NodeMethod = (rpc, params) => {
  const [addressParam, nonceParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const nonce = parsePlainNumber(nonceParam, 'nonce')
  const block = firstBlockWhere(rpc, (stateRoot) => {
    const account = rpc.chain.account(stateRoot, address)
    return account !== undefined && account.nonce > nonce
  })
  const found = block?.transactions.find((transaction, index) => {
    if (transaction.from !== address) return false
    const used = isDeposit(transaction) ? block.receipts[index]!.depositNonce : transaction.nonce
    return used === nonce
  })
  return found?.hash ?? null
}
