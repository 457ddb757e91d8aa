import { CopyButton } from '../copy-button.tsx'
import type { BlockJson, TransactionJson } from '../json-types.ts'
import { AddressLink, BlockDay, BlockLink, count, Fields, Shown } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { TransactionTable } from './transaction-table.tsx'

/** One block: by number, hash or tag. */
export function Block({ id }: { id: string }) {
  const { node } = useDevnet()
  const { latest, pending } = useLive()
  const isHash = /^0x[0-9a-f]{64}$/i.test(id)
  const selector = /^\d+$/.test(id) ? `0x${BigInt(id).toString(16)}` : id
  const block = useLoaded(async () => {
    const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    const found = await node.call<BlockJson | null>(method, [selector, true])
    if (!found) throw new Error('There is no such block, or not any more.')
    return found
  }, [id, /^(0x|\d)/.test(id) ? '' : latest, id === 'pending' ? pending : undefined])
  return (
    <>
      <h1>Block {isHash ? 'by hash' : id}</h1>
      <Shown loaded={block}>{(found) => <Details block={found} />}</Shown>
    </>
  )
}

function Details({ block }: { block: BlockJson }) {
  const { safe, finalized } = useLive()
  const number = block.number === null ? undefined : Number(block.number)
  const stage =
    number === undefined || block.hash === null
      ? 'under construction'
      : number <= finalized
        ? 'finalized on L1'
        : number <= safe
          ? 'safe: derived from L1'
          : 'unsafe: not yet on L1'
  const transactions = block.transactions as TransactionJson[]
  return (
    <>
      <p class="buttons">
        {number !== undefined && number > 0 && <a href={`/block/${number - 1}`}>Previous block</a>}
        {number !== undefined && <a href={`/block/${number + 1}`}>Next block</a>}
      </p>
      <Fields
        of={{
          Stage: stage,
          Number: number !== undefined && <BlockLink number={number} />,
          Time: <BlockDay block={block} />,
          'Gas used': `${count(block.gasUsed)} of ${count(block.gasLimit)}`,
          'Base fee': `${count(block.baseFeePerGas)} wei`,
          'Fee recipient': <AddressLink address={block.miner} full />,
          Hash: block.hash && (
            <>
              <code>{block.hash}</code> <CopyButton text={block.hash} what="hash" />
            </>
          ),
          Parent: (
            <a href={`/block/${block.parentHash}`}>
              <code>{block.parentHash}</code>
            </a>
          ),
          'State root': <code>{block.stateRoot}</code>,
        }}
      />
      <h2>Transactions</h2>
      <TransactionTable title="In their order" transactions={transactions} />
    </>
  )
}
