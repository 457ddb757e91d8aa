import type { ReceiptJson, TransactionJson } from '../json-types.ts'
import { AddressLink, BlockLink, ether, Table, TransactionLink } from '../parts.tsx'
import { stageOf } from '../stage-of.ts'
import { useBook } from '../use-book.ts'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

export function TransactionTable(props: {
  title: string
  transactions: TransactionJson[]
  empty?: string
  /** How far each is on its way, and in which block. */
  withStage?: boolean
}) {
  const { withStage = false } = props
  const heads = useLive()
  const placeOf = (transaction: TransactionJson) => {
    const stage = stageOf(transaction, heads)
    const isSealed = stage !== 'pre-confirmed'
    return [
      <Stage key="s" name={stage} />,
      isSealed && <BlockLink key="b" number={Number(transaction.blockNumber)} />,
    ]
  }
  const places = withStage ? ['Stage', 'Block'] : []
  return (
    <Table
      title={props.title}
      empty={props.empty ?? 'No transactions.'}
      columns={['Transaction', ...places, 'From', 'To', 'Does', 'Value']}
      rows={props.transactions.map((transaction) => ({
        key: transaction.hash,
        cells: [
          <TransactionLink key="h" hash={transaction.hash} />,
          ...(withStage ? placeOf(transaction) : []),
          <AddressLink key="f" address={transaction.from} />,
          transaction.to && <AddressLink key="t" address={transaction.to} />,
          <Does key="d" transaction={transaction} />,
          ether(transaction.value),
        ],
      }))}
    />
  )
}

/** What it was sent for; and that nothing came of it, which its stage does not say. */
function Does({ transaction: { hash, blockHash, to, input } }: { transaction: TransactionJson }) {
  const { node } = useDevnet()
  const book = useBook()
  const receipt = useLoaded(
    () => node.call<ReceiptJson | null>('eth_getTransactionReceipt', [hash]),
    [hash, blockHash],
  )
  const call = () => (input === '0x' ? 'transfer' : (book.call(input)?.name ?? input.slice(0, 10)))
  return (
    <>
      {to === null ? 'creates a contract' : call()}
      {receipt.value?.status === '0x0' && <strong class="bad"> reverted</strong>}
    </>
  )
}

const Stage = ({ name }: { name: string }) => <span class={`stage ${name}`}>{name}</span>
