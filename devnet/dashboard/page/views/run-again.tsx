import { Action } from '../action.tsx'
import type { BlockJson, Hex, ReceiptJson, TransactionJson } from '../json-types.ts'
import { count } from '../parts.tsx'
import { postJsonRpc } from '../post-json-rpc.ts'
import { useDevnet } from '../use-live.ts'
import { isSent } from './is-sent.ts'

/** Comes from L1: no pool takes it. Source: OP specs, deposits. */
const DEPOSIT = '0x7e'

/**
 * The transaction once more, on a branch upon the block before its own, after those that stood before it
 * there: what it would do is seen, and the chain does not change.
 */
export function RunAgain({ hash }: { hash: Hex }) {
  const { node } = useDevnet()
  const run = async () => {
    const transaction = await node.call<TransactionJson>('eth_getTransactionByHash', [hash])
    if (transaction.type === DEPOSIT)
      throw new Error('It came from L1, and is sent from there alone.')
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
    const ask = <T,>(method: string, params: unknown[]) =>
      postJsonRpc<T>(branch.rpcUrl, method, params)
    const runAll = async () => {
      for (const each of all.slice(0, upTo)) {
        if (each.type === DEPOSIT) continue
        await ask('eth_sendRawTransaction', [
          await node.call('debug_getRawTransaction', [each.hash]),
        ])
        // The pool would order them by what they pay.
        await ask('rollbed_flashblock', [])
      }
      await ask('rollbed_seal', [])
      const receipt = await ask<ReceiptJson | null>('eth_getTransactionReceipt', [hash])
      if (!receipt) throw new Error('It came into no block there.')
      return receipt
    }
    const receipt = await runAll().catch(async (error: unknown) => {
      await node.call('rollbed_dropBranch', [branch.id]).catch(() => {})
      throw error
    })
    const outcome = receipt.status === '0x1' ? 'succeeded' : 'reverted'
    return (
      <>
        On branch {branch.id} it {outcome} with {count(receipt.gasUsed)} gas. Go on there:{' '}
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
