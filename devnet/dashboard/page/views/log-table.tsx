import type { FrameJson, LogJson } from '../json-types.ts'
import { AddressLink, Table } from '../parts.tsx'
import { useBook } from '../use-book.ts'

/** The logs that a transaction left, in words where the event is known. */
export function LogTable({ root }: { root: FrameJson }) {
  const book = useBook()
  const words = (log: LogJson) => {
    const read = book.log(log)
    if (read) return `${read.args.map(({ name, value }) => `${name}: ${value}`).join(', ')}`
    return [...log.topics, log.data].join(' ')
  }
  return (
    <Table
      title="In the order of the calls"
      empty="No logs."
      columns={['Event', 'Contract', 'Content']}
      rows={logsOf(root).map((log, index) => ({
        key: index,
        cells: [
          book.log(log)?.name ?? 'unknown',
          <AddressLink key="a" address={log.address} />,
          <code key="c" class="bytes">
            {words(log)}
          </code>,
        ],
      }))}
    />
  )
}

/** What a frame that failed wrote is gone. */
function logsOf(frame: FrameJson): LogJson[] {
  if (frame.error) return []
  return [...(frame.logs ?? []), ...(frame.calls ?? []).flatMap(logsOf)]
}
