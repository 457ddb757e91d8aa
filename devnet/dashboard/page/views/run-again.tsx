import { Action } from '../action.tsx'
import type { BlockJson, Hex, ReceiptJson, TransactionJson } from '../json-types.ts'
import { count } from '../parts.tsx'
import { postJsonRpc } from '../post-json-rpc.ts'
import { useDevnet } from '../use-live.ts'
import { isSent } from './is-sent.ts'

/**
 * The transaction once more, on a branch upon the block before its own, after those that stood before it
 * there: what it would do is seen, and the chain does not change.
 */
export function RunAgain({ hash }: { hash: Hex }) {
  const { node } = useDevnet()
  const run = async () => {
    const transaction = await node.call<TransactionJson>('eth_getTransactionByHash', [hash])
    const block = await node.call<BlockJson>('eth_getBlockByNumber', [
      transaction.blockHash === null ? 'pending' : transaction.blockNumber,
      true,
    ])
    const all = (block.transactions as TransactionJson[]).filter(isSent)
    const upTo = all.findIndex((each) => each.hash === hash) + 1
    // The open block has no number by the specification; it stands upon the newest one.
    const before = transaction.blockHash === null ? 'latest' : previous(transaction.blockNumber!)
    const branch = await node.call<{ id: string; rpcUrl: string }>('rollbed_branch', [
      before,
      { flashblocks: 'prompt' },
    ])
    let receipt: ReceiptJson | undefined
    for (const each of all.slice(0, upTo)) {
      const raw = await node.call<Hex>('debug_getRawTransaction', [each.hash])
      receipt = await postJsonRpc<ReceiptJson>(branch.rpcUrl, 'eth_sendRawTransactionSync', [raw])
    }
    const outcome = receipt?.status === '0x1' ? 'succeeded' : 'reverted'
    return (
      <>
        On branch {branch.id} it {outcome} with {count(receipt?.gasUsed ?? 0)} gas. Go on there:{' '}
        <code class="bytes">{branch.rpcUrl}</code>
      </>
    )
  }
  return (
    <>
      <h2>Run this again</h2>
      <Action label="Run it on a branch" run={run} />
    </>
  )
}

const previous = (number: Hex): Hex => `0x${(BigInt(number) - 1n).toString(16)}`
