import type { Hex } from '../json-types.ts'
import { useDevnet, useLive } from '../use-live.ts'
import type { TransactionPage } from './is-sent.ts'
import { PastPages } from './past-pages.tsx'
import { TransactionTable } from './transaction-table.tsx'

/** All that an address took part in, or all that was sent, from the newest block back to the first. */
export function PastTransactions({ address = null }: { address?: Hex | null }) {
  const { node } = useDevnet()
  const { latest } = useLive()
  return (
    <PastPages
      newest={latest}
      load={async (before) => {
        const page = await node.call<TransactionPage>('rollbed_transactionsOf', [
          address,
          ...(before ? [before] : []),
        ])
        return { found: page.transactions, before: page.before }
      }}
    >
      {(transactions) => (
        <TransactionTable title="Newest first" transactions={transactions} withStage />
      )}
    </PastPages>
  )
}
