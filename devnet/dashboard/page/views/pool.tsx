import type { TransactionJson } from '../json-types.ts'
import { Shown } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { TransactionTable } from './transaction-table.tsx'

type BySender = Record<string, Record<string, TransactionJson>>

/** What waits for a block, and what waits for a nonce before its own. */
export function Pool() {
  const { node } = useDevnet()
  const content = useLoaded(
    () => node.call<{ pending: BySender; queued: BySender }>('txpool_content'),
    [],
    true,
  )
  return (
    <>
      <h1>Pool</h1>
      <Shown loaded={content}>
        {({ pending, queued }) => (
          <>
            <h2>Waiting for a flashblock</h2>
            <TransactionTable title="By sender and nonce" transactions={all(pending)} />
            <h2>Waiting for an earlier nonce</h2>
            <TransactionTable title="By sender and nonce" transactions={all(queued)} />
          </>
        )}
      </Shown>
    </>
  )
}

const all = (senders: BySender) => Object.values(senders).flatMap((nonces) => Object.values(nonces))
