import type { SignedTransaction } from '#protocol/types/transaction'
import type { NodeRpc } from '../../node-rpc.ts'
import { preconfirmed } from '../../selector/find-transaction.ts'

/**
 * What waits for a block, and for a nonce before it. Pre-confirmed transactions have left the pool where
 * pre-confirmations are served, and wait in it where they are not.
 */
export function poolContent({ chain, preconfirmations }: NodeRpc) {
  const { pending, queued } = chain.poolContent()
  return { pending: [...(preconfirmations ? [] : preconfirmed(chain)), ...pending], queued }
}

/** Both parts by sender and nonce, each transaction as `show` has it. */
export function poolBySender<T>(rpc: NodeRpc, show: (transaction: SignedTransaction) => T) {
  const group = (transactions: SignedTransaction[]) => {
    const groups: Record<string, Record<string, T>> = {}
    for (const transaction of transactions) {
      const { from, nonce } = transaction
      groups[from] = { ...groups[from], [String(nonce)]: show(transaction) }
    }
    return groups
  }
  const { pending, queued } = poolContent(rpc)
  return { pending: group(pending), queued: group(queued) }
}
