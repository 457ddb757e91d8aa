import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Hash } from '#protocol/types/bytes'
import { placeOf } from '../../json/place-of.ts'
import { receiptJson } from '../../json/receipt-json.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { findTransaction } from '../../selector/find-transaction.ts'

/** A beat of flashblocks, and what building one takes. Milliseconds. */
const LONGEST_WAIT = 300

/**
 * `eth_getTransactionReceipt [hash]`: from pre-confirmation on; null before and when unknown. In profile
 * `base` a transaction that waits in the pool is waited for, a flashblock long: clients that look once and then
 * again with the next block have it at the first look.
 * @throws JsonRpcError -32602
 */
export const ethGetTransactionReceipt: NodeMethod = (rpc, params, { signal }) => {
  const hash = parseHash(positional(params)[0], 'hash')
  const { preconfirmations, profile, chain } = rpc
  const isWaitedFor = preconfirmations && profile.receiptOfWaiting === 'waited for'
  if (!isWaitedFor || !chain.pooledTransaction(hash)) return receiptOf(rpc, hash)
  return untilTaken(rpc, hash, signal).then(() => receiptOf(rpc, hash))
}

function receiptOf(rpc: NodeRpc, hash: Hash) {
  const found = findTransaction(rpc, hash)
  if (!found) return null
  const { block, index } = found
  return rpc.json.result(block.receipts[index]!, placeOf(block), () => receiptJson(block, index))
}

/** Until the pool no longer has it, or the time is over. The machine's: a chain's own may stand still. */
function untilTaken({ chain, machine }: NodeRpc, hash: Hash, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel()
      signal.removeEventListener('abort', end)
      for (const stop of stops) stop()
      resolve()
    }
    const look = () => {
      if (!chain.pooledTransaction(hash) || chain.findTransaction(hash)) end()
    }
    const timer = machine.after(LONGEST_WAIT, end)
    const stops = [
      chain.on('flashblock', look),
      chain.on('sealed', look),
      chain.on('discarded', look),
    ]
    signal.addEventListener('abort', end, { once: true })
  })
}
