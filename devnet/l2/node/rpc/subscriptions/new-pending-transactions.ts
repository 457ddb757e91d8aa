import { parseFlag } from '#devnet/base/json-rpc/params/parse-boolean'
import { pooledTransactionJson } from '../json/transaction-json.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** `newPendingTransactions full?`: hashes, or whole transactions, as they enter the pool. */
export const newPendingTransactions: SubscriptionKind = (_rpc, options, emit, on) => {
  const full = parseFlag(options, 'options')
  return on('pooled', (transaction) =>
    emit(full ? pooledTransactionJson(transaction) : transaction.hash),
  )
}
