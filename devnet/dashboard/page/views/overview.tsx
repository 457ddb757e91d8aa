import { Chart } from '../chart.tsx'
import type { TransactionJson } from '../json-types.ts'
import { BlockLink, count, Fields } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { BlockTable } from './block-table.tsx'
import { TransactionTable } from './transaction-table.tsx'

/** What happens now: heads, the block under construction, the newest blocks. */
export function Overview() {
  const { devnet } = useDevnet()
  const { isConnected, latest, safe, finalized, pending, flashblocks, blocks } = useLive()
  const oldestFirst = blocks.toReversed()
  const gas = oldestFirst.map(({ gasUsed }) => Number(gasUsed))
  return (
    <>
      <h1>Overview</h1>
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
        <h2>Block under construction</h2>
        <ol class="flashblocks" aria-label="Transactions after each flashblock">
          {flashblocks.map((transactions, index) => (
            <li key={index}>{transactions}</li>
          ))}
        </ol>
        <TransactionTable
          title="Pre-confirmed, newest first"
          transactions={newest(pending?.transactions as TransactionJson[] | undefined)}
        />
      </section>
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
              .map(([name, value]) => [name, <code key={name}>{String(value)}</code>]),
          )}
        />
      </section>
    </>
  )
}

const newest = (transactions: TransactionJson[] = []) => transactions.slice(-10).toReversed()
