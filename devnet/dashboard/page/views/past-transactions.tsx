import { useState } from 'preact/hooks'
import type { Hex, TransactionJson } from '../json-types.ts'
import { Shown } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { TransactionTable } from './transaction-table.tsx'

interface Page {
  transactions: TransactionJson[]
  before: Hex | null
}

/** All that an address took part in, from the newest block back to the first, as far as one asks. */
export function PastTransactions({ address }: { address: Hex }) {
  const { node } = useDevnet()
  const { latest } = useLive()
  const [before, setBefore] = useState<Hex[]>([])
  const start = before.at(-1)
  const page = useLoaded(
    () => node.call<Page>('rollbed_transactionsOf', [address, ...(start ? [start] : [])]),
    // Older pages stay as they are.
    [address, start ?? latest],
  )
  return (
    <Shown loaded={page}>
      {({ transactions, before: next }) => (
        <>
          <TransactionTable
            title={start ? `Before block ${Number(start)}, newest first` : 'Newest first'}
            transactions={transactions}
            empty={next ? 'None in these blocks.' : 'No transactions.'}
          />
          <p class="pager" role="status">
            {next ? `Searched down to block ${Number(next)}.` : 'There are no older ones.'}
          </p>
          {(start || next) && (
            <p class="pager">
              <button
                type="button"
                disabled={!start}
                onClick={() => setBefore(before.slice(0, -1))}
              >
                Newer
              </button>
              <button
                type="button"
                disabled={!next}
                onClick={() => next && setBefore([...before, next])}
              >
                Older
              </button>
            </p>
          )}
        </>
      )}
    </Shown>
  )
}
