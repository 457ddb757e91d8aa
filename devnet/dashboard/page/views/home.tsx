import { Chart } from '../chart.tsx'
import { CopyButton } from '../copy-button.tsx'
import type { TransactionJson } from '../json-types.ts'
import { BlockLink, count, Fields } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { BlockTable } from './block-table.tsx'
import { FlashblockLine } from './flashblock-line.tsx'
import { isSent, type TransactionPage } from './is-sent.ts'
import { TransactionTable } from './transaction-table.tsx'

const SHOWN_TRANSACTIONS = 10

/** What happens now: the line of flashblocks, your transactions, heads, the newest blocks. */
export function Home() {
  const { devnet, node } = useDevnet()
  const { isConnected, latest, safe, finalized, pending, blocks } = useLive()
  const sealed = useLoaded(
    () => node.call<TransactionPage>('rollbed_transactionsOf', [null]),
    [latest],
  )
  const open = ((pending?.transactions ?? []) as TransactionJson[]).filter(isSent).toReversed()
  const newest = [...open, ...(sealed.value?.transactions ?? [])]
  // One that was just sealed may stand in both.
  const unique = [...new Map(newest.map((each) => [each.hash, each])).values()]
  const oldestFirst = blocks.toReversed()
  const gas = oldestFirst.map(({ gasUsed }) => Number(gasUsed))
  return (
    <>
      <h1>Home</h1>
      <FlashblockLine />
      <TransactionTable
        title="Newest transactions"
        empty="Nobody has sent a transaction yet."
        transactions={unique.slice(0, SHOWN_TRANSACTIONS)}
        withStage
      />
      <dl class="cards">
        {Object.entries({ latest, safe, finalized }).map(([name, number]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <BlockLink number={number} />
            </dd>
          </div>
        ))}
        <div>
          <dt>pending</dt>
          <dd>
            {isConnected ? (
              <a href="/block/pending">{pending?.transactions.length ?? 0} tx</a>
            ) : (
              'not connected'
            )}
          </dd>
        </div>
      </dl>
      <section>
        <h2>Sealed blocks</h2>
        <Chart
          title="Gas used per block"
          labels={oldestFirst.map(({ number }) => Number(number))}
          values={gas}
          describe={`${gas.length} blocks, the newest used ${count(gas.at(-1) ?? 0)}, the most was ${count(Math.max(0, ...gas))}`}
        />
        <BlockTable title="The newest blocks" blocks={blocks.slice(0, 12)} />
        <p>
          <a href="/blocks">More blocks</a>
        </p>
      </section>
      <section>
        <h2>Endpoints</h2>
        <Fields
          of={Object.fromEntries(
            Object.entries(devnet)
              .filter(([name, value]) => name.endsWith('Url') && value)
              .map(([name, value]) => [
                name,
                <span key={name}>
                  <code>{String(value)}</code> <CopyButton text={String(value)} what={name} />
                </span>,
              ]),
          )}
        />
      </section>
    </>
  )
}
