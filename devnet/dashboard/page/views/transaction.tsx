import { CopyButton } from '../copy-button.tsx'
import type {
  BlockJson,
  FrameJson,
  Hex,
  ReceiptJson,
  StateDiffJson,
  TransactionJson,
} from '../json-types.ts'
import { AddressLink, BlockDay, BlockLink, count, ether, Fields, Shown, Table } from '../parts.tsx'
import { stageOf } from '../stage-of.ts'
import { useBook } from '../use-book.ts'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { CallTree } from './call-tree.tsx'
import { DecodedCall } from './decoded-call.tsx'
import { LogTable } from './log-table.tsx'
import { RunAgain } from './run-again.tsx'
import { StateChanges } from './state-changes.tsx'

interface Attribution {
  codes: string[]
  wallets: (Hex | null)[]
  schema: number
  size: Hex
  gas: Hex
}

/** One transaction, from the pool on: what it does, did, cost and changed. */
export function Transaction({ id }: { id: string }) {
  const { node } = useDevnet()
  const { latest, flashblocks } = useLive()
  const transaction = useLoaded(async () => {
    const found = await node.call<TransactionJson | null>('eth_getTransactionByHash', [id])
    if (found) return found
    const { drops } = await node.call<{ drops: { reason: string }[] }>('rollbed_drops', [id])
    const [drop] = drops
    throw new Error(
      drop ? `It was dropped: ${drop.reason}` : 'The node does not know this transaction.',
    )
  }, [id, latest, flashblocks.length])
  return (
    <>
      <h1>Transaction</h1>
      <p class="bytes">
        <code>{id}</code> <CopyButton text={id} what="hash" />
      </p>
      <Shown loaded={transaction}>{(found) => <Details transaction={found} />}</Shown>
    </>
  )
}

function Details({ transaction }: { transaction: TransactionJson }) {
  const { node } = useDevnet()
  const { hash, blockHash } = transaction
  // Asked again once the transaction gets its block.
  const receipt = useLoaded(
    () => node.call<ReceiptJson | null>('eth_getTransactionReceipt', [hash]),
    [hash, blockHash, transaction],
  )
  // Before it is known whether there is one, nothing is said of the pool.
  return (
    <Shown loaded={receipt}>
      {(found) => <WithReceipt transaction={transaction} receipt={found ?? undefined} />}
    </Shown>
  )
}

interface KnownTransaction {
  transaction: TransactionJson
  /** None while it waits in the pool. */
  receipt: ReceiptJson | undefined
}

function WithReceipt({ transaction, receipt }: KnownTransaction) {
  const { node } = useDevnet()
  const { hash, blockHash } = transaction
  const isExecuted = Boolean(receipt)
  const attribution = useLoaded(
    () => node.call<Attribution | null>('rollbed_getAttribution', [hash]),
    [hash, isExecuted],
  )
  return (
    <>
      <Summary transaction={transaction} receipt={receipt} />
      <h2>Call</h2>
      <DecodedCall to={transaction.to} input={transaction.input} />
      {attribution.value && <Credits of={attribution.value} />}
      {isExecuted ? (
        <Effects hash={hash} blockHash={blockHash} />
      ) : (
        <p class="dim">It waits in the pool: nothing was executed yet.</p>
      )}
    </>
  )
}

function Summary({ transaction, receipt }: KnownTransaction) {
  const heads = useLive()
  const stage = receipt ? stageOf(transaction, heads) : 'in the pool'
  const isSealed = stage !== 'pre-confirmed' && stage !== 'in the pool'
  const { node } = useDevnet()
  const block = useLoaded(
    async () =>
      receipt
        ? node.call<BlockJson | null>('eth_getBlockByNumber', [
            isSealed ? transaction.blockNumber : 'pending',
            false,
          ])
        : null,
    [Boolean(receipt), isSealed, transaction.blockHash],
  )
  const fee = receipt && BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  const l1Fee = BigInt(receipt?.l1Fee ?? 0)
  return (
    <Fields
      of={{
        Outcome: receipt && (
          <strong class={receipt.status === '0x1' ? 'good' : 'bad'}>
            {receipt.status === '0x1' ? 'succeeded' : 'reverted'}
          </strong>
        ),
        Stage: stage,
        Block: isSealed && (
          <>
            <BlockLink number={Number(transaction.blockNumber)} />{' '}
            <span class="dim">place {Number(transaction.transactionIndex)}</span>
          </>
        ),
        Time: block.value && <BlockDay block={block.value} />,
        From: <AddressLink address={transaction.from} full />,
        To: transaction.to && <AddressLink address={transaction.to} full />,
        Created: receipt?.contractAddress && <AddressLink address={receipt.contractAddress} full />,
        Value: ether(transaction.value),
        Nonce: Number(transaction.nonce),
        Type: Number(transaction.type),
        Gas: receipt
          ? `${count(receipt.gasUsed)} of ${count(transaction.gas)}`
          : `up to ${count(transaction.gas)}`,
        'Gas price': receipt && `${count(receipt.effectiveGasPrice)} wei`,
        'Fee on L2': fee !== undefined && ether(fee),
        'Fee for L1':
          receipt?.l1Fee !== undefined &&
          `${ether(l1Fee)} (${count(receipt.l1GasUsed ?? 0)} gas at ${count(receipt.l1GasPrice ?? 0)} wei on L1)`,
        'Fee in all': fee !== undefined && ether(fee + l1Fee),
      }}
    />
  )
}

function Credits({ of }: { of: Attribution }) {
  return (
    <>
      <h2>Attribution</h2>
      <Table
        title={`ERC-8021 suffix of ${count(of.size)} bytes, schema ${of.schema}; it costs ${count(of.gas)} gas`}
        columns={['Builder code', 'Registered by']}
        rows={of.codes.map((code, index) => ({
          key: index,
          cells: [code, of.wallets[index] ? <AddressLink address={of.wallets[index]} /> : 'nobody'],
        }))}
      />
    </>
  )
}

function Effects({ hash, blockHash }: { hash: Hex; blockHash: Hex | null }) {
  const { node } = useDevnet()
  const book = useBook()
  const trace = (tracer: string, tracerConfig: object) => () =>
    node.call('debug_traceTransaction', [hash, { tracer, tracerConfig, timeout: '60s' }])
  const frame = useLoaded(trace('callTracer', { withLog: true }) as () => Promise<FrameJson>, [
    hash,
    blockHash,
  ])
  const changes = useLoaded(
    trace('prestateTracer', { diffMode: true }) as () => Promise<StateDiffJson>,
    [hash, blockHash],
  )
  return (
    <>
      <Shown loaded={frame}>
        {(root) => (
          <>
            {root.error && (
              <p class="notice">
                Why it failed:{' '}
                <strong>
                  {root.revertReason ?? book.error(root.output ?? '0x') ?? root.error}
                </strong>
              </p>
            )}
            <h2>Call tree and gas by frame</h2>
            <CallTree root={root} />
            <p>
              <a href={`/debug/${hash}`}>Step through it</a>
            </p>
            <h2>Logs</h2>
            <LogTable root={root} />
          </>
        )}
      </Shown>
      <RunAgain hash={hash} />
      <h2>State changes</h2>
      <Shown loaded={changes}>{(diff) => <StateChanges diff={diff} />}</Shown>
    </>
  )
}
