import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Hash } from '#protocol/types/bytes'
import { receiptJson } from '../../json/receipt-json.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { isPreconfirmed } from '../../selector/block-to-come.ts'
import { findTransaction } from '../../selector/find-transaction.ts'
import { ethSendRawTransaction } from './eth-send-raw-transaction.ts'

/** As Base's nodes: default and limit, milliseconds. */
const MAX_TIMEOUT = 6_000
const RETIRED = 'Denim retired it: send with eth_sendRawTransaction, a block comes every 200 ms.'
/** EIP-7966, "Error handling". */
const TIMED_OUT = 4

/**
 * `eth_sendRawTransactionSync [raw, timeoutMs?]`: the receipt, as soon as the transaction is
 * pre-confirmed (EIP-7966).
 *
 * Since Denim there are no pre-confirmations, and no such method.
 *
 * @throws JsonRpcError -32601 since Denim; -32602; -32000 when the pool refuses it, or, with the hash as data, gives it up; 4
 * after the timeout, with the hash as data: the transaction stays in the pool
 */
export const ethSendRawTransactionSync: NodeMethod = async (rpc, params, context) => {
  if (!isPreconfirmed(rpc)) throw new JsonRpcError(-32601, 'Method not found', RETIRED)
  const [raw, timeoutParam] = positional(params)
  const timeout = parseTimeout(timeoutParam)
  const hash = (await ethSendRawTransaction(rpc, [raw], context)) as Hash
  return receiptOf(rpc, hash) ?? waitForReceipt(rpc, hash, timeout, context.signal)
}

function waitForReceipt(rpc: NodeRpc, hash: Hash, timeout: number, signal: AbortSignal) {
  const { chain, clock } = rpc
  return new Promise((resolve, reject) => {
    const look = () => {
      const receipt = receiptOf(rpc, hash)
      if (receipt) end(() => resolve(receipt))
    }
    const leave = () => end(() => reject(signal.reason))
    const timer = clock.after(timeout, () => {
      const text = `The transaction was added to the mempool but wasn't processed in ${timeout}ms.`
      end(() => reject(new JsonRpcError(TIMED_OUT, text, hash)))
    })
    const stops = [
      chain.on('flashblock', look),
      chain.on('sealed', look),
      chain.on('discarded', ({ transaction, reason }) => {
        if (transaction.hash !== hash) return
        end(() => reject(new JsonRpcError(-32000, reason.message, hash)))
      }),
    ]
    const end = (settle: () => void) => {
      timer.cancel()
      signal.removeEventListener('abort', leave)
      for (const stop of stops) stop()
      settle()
    }
    signal.addEventListener('abort', leave, { once: true })
  })
}

function receiptOf(rpc: NodeRpc, hash: Hash) {
  const found = findTransaction(rpc, hash)
  return found && receiptJson(found.block, found.index)
}

/** Nodes take a JSON number, viem sends a quantity. */
function parseTimeout(value: unknown): number {
  if (value === undefined || value === null) return MAX_TIMEOUT
  const timeout = typeof value === 'number' ? value : Number(parseQuantity(value, 'timeoutMs', 64))
  if (!Number.isInteger(timeout) || timeout < 0) {
    throw invalidParams('timeoutMs: must be a whole number of milliseconds')
  }
  if (timeout > MAX_TIMEOUT) {
    const text = `time out too long, timeout: ${timeout} ms, max: ${MAX_TIMEOUT} ms`
    throw new JsonRpcError(-32602, text)
  }
  return timeout
}
