import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Hash } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import { type ChainView, isSealed, type TransactionLocation } from '../../chain-view.ts'
import type { ShownChain } from '../shown-chain.ts'

/** Where a transaction stands; pre-confirmed ones only where pre-confirmations are served. */
export function findTransaction(rpc: ShownChain, hash: Hash): TransactionLocation | undefined {
  const found = rpc.chain.findTransaction(hash)
  return found && (rpc.preconfirmations || isSealed(found.block)) ? found : undefined
}

/** The same of one that has to be there. @throws JsonRpcError -32000 */
export function requireTransaction(rpc: ShownChain, hash: Hash): TransactionLocation {
  const found = findTransaction(rpc, hash)
  if (!found) throw new JsonRpcError(-32000, 'transaction not found')
  return found
}

/**
 * A user's transaction without a place that may be told: in the pool, and where no pre-confirmations
 * are served also until the block is sealed that holds it already.
 */
export function waitingTransaction({ chain, preconfirmations }: ShownChain, hash: Hash) {
  const pooled = chain.pooledTransaction(hash)
  if (pooled || preconfirmations) return pooled
  return preconfirmed(chain).find((transaction) => transaction.hash === hash)
}

/** The users' transactions of the block that is being built. */
export function preconfirmed(chain: ChainView): SignedTransaction[] {
  return (chain.pending()?.transactions ?? []).filter(
    ({ type }) => type !== 0x7e,
  ) as SignedTransaction[]
}
