import type { TransactionJson } from '../json-types.ts'
import { AddressLink, ether, Table, TransactionLink } from '../parts.tsx'
import { useBook } from '../use-book.ts'

export function TransactionTable(props: {
  title: string
  transactions: TransactionJson[]
  empty?: string
}) {
  const book = useBook()
  const what = ({ to, input }: TransactionJson) => {
    if (to === null) return 'creates a contract'
    if (input === '0x') return 'transfer'
    return book.call(input)?.name ?? input.slice(0, 10)
  }
  return (
    <Table
      title={props.title}
      empty={props.empty ?? 'No transactions.'}
      columns={['Transaction', 'From', 'To', 'Does', 'Value']}
      rows={props.transactions.map((transaction) => ({
        key: transaction.hash,
        cells: [
          <TransactionLink key="h" hash={transaction.hash} />,
          <AddressLink key="f" address={transaction.from} />,
          transaction.to && <AddressLink key="t" address={transaction.to} />,
          what(transaction),
          ether(transaction.value),
        ],
      }))}
    />
  )
}
