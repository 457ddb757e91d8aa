import type { SignedTransaction } from '../../../../../enclave-sim/protocol/types/transaction.ts'
import { toQuantity } from '../../json/hex.ts'
import { pooledTransactionJson } from '../../json/transaction-json.ts'
import type { CheatMethod, CheatRpc } from '../cheat-rpc.ts'

/** `txpool_status []` → how many transactions wait for a block, and for a nonce before theirs. */
export const txpoolStatus: CheatMethod = ({ cheats: { pool } }) => {
  const { pending, queued } = pool.content()
  return { pending: toQuantity(pending.length), queued: toQuantity(queued.length) }
}

/** `txpool_content []` → both as objects, by sender and nonce. Pre-confirmed ones have left the pool. */
export const txpoolContent: CheatMethod = (rpc) => bySender(rpc, pooledTransactionJson)

/** `txpool_inspect []` → the same, each as one line. */
export const txpoolInspect: CheatMethod = (rpc) =>
  bySender(rpc, ({ to, value, gas, maxFeePerGas }) => {
    return `${to ?? 'contract creation'}: ${value} wei + ${gas} gas × ${maxFeePerGas} wei`
  })

function bySender<T>({ cheats }: CheatRpc, show: (transaction: SignedTransaction) => T) {
  const group = (transactions: SignedTransaction[]) => {
    const groups: Record<string, Record<string, T>> = {}
    for (const transaction of transactions) {
      const { from, nonce } = transaction
      groups[from] = { ...groups[from], [String(nonce)]: show(transaction) }
    }
    return groups
  }
  const { pending, queued } = cheats.pool.content()
  return { pending: group(pending), queued: group(queued) }
}
