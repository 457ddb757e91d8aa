import type { SignedTransaction } from '../../../../../enclave-sim/protocol/types/transaction.ts'
import { toQuantity } from '../../json/hex.ts'
import { pooledTransactionJson } from '../../json/transaction-json.ts'
import { preconfirmed } from '../../selector/find-transaction.ts'
import type { CheatMethod, CheatRpc } from '../cheat-rpc.ts'

/** `txpool_status []` → how many transactions wait for a block, and for a nonce before theirs. */
export const txpoolStatus: CheatMethod = (rpc) => {
  const { pending, queued } = content(rpc)
  return { pending: toQuantity(pending.length), queued: toQuantity(queued.length) }
}

/** `txpool_content []` → both as objects, by sender and nonce. Pre-confirmed ones have left the pool, where they are served. */
export const txpoolContent: CheatMethod = (rpc) => bySender(rpc, pooledTransactionJson)

/** `txpool_inspect []` → the same, each as one line. */
export const txpoolInspect: CheatMethod = (rpc) =>
  bySender(rpc, ({ to, value, gas, maxFeePerGas }) => {
    return `${to ?? 'contract creation'}: ${value} wei + ${gas} gas × ${maxFeePerGas} wei`
  })

/** `eth_pendingTransactions []` → what waits for a block, whoever sent it. */
export const ethPendingTransactions: CheatMethod = (rpc) =>
  content(rpc).pending.map(pooledTransactionJson)

function bySender<T>(rpc: CheatRpc, show: (transaction: SignedTransaction) => T) {
  const group = (transactions: SignedTransaction[]) => {
    const groups: Record<string, Record<string, T>> = {}
    for (const transaction of transactions) {
      const { from, nonce } = transaction
      groups[from] = { ...groups[from], [String(nonce)]: show(transaction) }
    }
    return groups
  }
  const { pending, queued } = content(rpc)
  return { pending: group(pending), queued: group(queued) }
}

function content({ cheats, chain, preconfirmations }: CheatRpc) {
  const { pending, queued } = cheats.pool.content()
  return { pending: [...(preconfirmations ? [] : preconfirmed(chain)), ...pending], queued }
}
