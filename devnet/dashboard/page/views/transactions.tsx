import type { TransactionJson } from '../json-types.ts'
import { useLive } from '../use-live.ts'
import { isSent } from './is-sent.ts'
import { PastTransactions } from './past-transactions.tsx'
import { TransactionTable } from './transaction-table.tsx'

/** All that was sent: pre-confirmed, then sealed, back to the first block. */
export function Transactions() {
  const { pending } = useLive()
  const open = ((pending?.transactions ?? []) as TransactionJson[]).filter(isSent)
  return (
    <>
      <h1>Transactions</h1>
      {open.length > 0 && (
        <TransactionTable title="Pre-confirmed" transactions={open.toReversed()} withStage />
      )}
      <h2>Sealed</h2>
      <PastTransactions />
    </>
  )
}
