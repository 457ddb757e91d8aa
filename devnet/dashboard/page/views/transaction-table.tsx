import type { TransactionJson } from '../json-types.ts'
import { AddressLink, ether, Table, TransactionLink } from '../parts.tsx'
import { stageOf } from '../stage-of.ts'
import { useBook } from '../use-book.ts'
import { useLive } from '../use-live.ts'

export function TransactionTable(props: {
  title: string
  transactions: TransactionJson[]
  empty?: string
  /** How far each is on its way. */
  withStage?: boolean
}) {
  const { withStage = false } = props
  const book = useBook()
  const heads = useLive()
  const what = ({ to, input }: TransactionJson) => {
    if (to === null) return 'creates a contract'
    if (input === '0x') return 'transfer'
    return book.call(input)?.name ?? input.slice(0, 10)
  }
  return (
    <Table
      title={props.title}
      empty={props.empty ?? 'No transactions.'}
      columns={['Transaction', ...(withStage ? ['Stage'] : []), 'From', 'To', 'Does', 'Value']}
      rows={props.transactions.map((transaction) => ({
        key: transaction.hash,
        cells: [
          <TransactionLink key="h" hash={transaction.hash} />,
          ...(withStage ? [<Stage key="s" name={stageOf(transaction, heads)} />] : []),
          <AddressLink key="f" address={transaction.from} />,
          transaction.to && <AddressLink key="t" address={transaction.to} />,
          what(transaction),
          ether(transaction.value),
        ],
      }))}
    />
  )
}

const Stage = ({ name }: { name: string }) => <span class={`stage ${name}`}>{name}</span>
