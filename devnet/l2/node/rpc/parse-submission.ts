import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { MAX_TRANSACTION_SIZE, transactionTooLarge } from '../mempool/check-transaction.ts'
import { chainRefusal } from './chain-refusal.ts'

/**
 * A raw transaction. What is longer than the pool takes is not read: hex and hash of a whole body would
 * keep the next flashblock waiting.
 *
 * @throws JsonRpcError -32602; -32000 in the pool's words for one that is too long
 */
export function parseSubmission(value: unknown, name: string): Uint8Array {
  const size = typeof value === 'string' ? Math.ceil((value.length - 2) / 2) : 0
  if (size > MAX_TRANSACTION_SIZE) throw chainRefusal(transactionTooLarge(size))
  return parseBytes(value, name)
}
