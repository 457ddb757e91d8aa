import type { Hex, LogJson } from '../json-types.ts'
import { BlockLink, Shown, Table, TransactionLink } from '../parts.tsx'
import { useBook } from '../use-book.ts'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** As many as one call of `eth_getLogs` reads by the specification (LIM-01). */
const SEARCHED_BLOCKS = 2_000

/** What a contract logged lately, in words where the event is known. */
export function PastEvents({ address }: { address: Hex }) {
  const { node } = useDevnet()
  const { latest } = useLive()
  const book = useBook()
  const first = Math.max(0, latest - SEARCHED_BLOCKS)
  const logs = useLoaded(
    () =>
      node.call<(LogJson & { transactionHash: Hex; blockNumber: Hex; logIndex: Hex })[]>(
        'eth_getLogs',
        [{ address, fromBlock: `0x${first.toString(16)}`, toBlock: 'latest' }],
      ),
    [address, latest],
  )
  return (
    <Shown loaded={logs}>
      {(list) => (
        <Table
          title={`Since block ${first}, newest first`}
          empty={`No events since block ${first}.`}
          columns={['Event', 'Content', 'Block', 'Transaction']}
          rows={list.toReversed().map((log) => {
            const read = book.log(log)
            const content = read
              ? read.args.map(({ name, value }) => `${name}: ${value}`).join(', ')
              : [...log.topics, log.data].join(' ')
            return {
              key: log.blockNumber + log.logIndex,
              cells: [
                read?.name ?? 'unknown',
                <code key="c" class="bytes">
                  {content}
                </code>,
                <BlockLink key="b" number={Number(log.blockNumber)} />,
                <TransactionLink key="t" hash={log.transactionHash} />,
              ],
            }
          })}
        />
      )}
    </Shown>
  )
}
