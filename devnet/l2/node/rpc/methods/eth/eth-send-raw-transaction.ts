import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { TransactionMalformed } from '#protocol/transaction/transaction-malformed'
import { chainRefusal } from '../../chain-refusal.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseSubmission } from '../../parse-submission.ts'

/**
 * `eth_sendRawTransaction [raw]`: the hash, once the transaction is in the pool.
 * @throws JsonRpcError -32602 when it cannot be decoded; -32000 when the pool refuses it, with the data
 * `{code: "CHAIN_WAITS"}` while the newest block cannot be written to disk
 */
export const ethSendRawTransaction: NodeMethod = async (rpc, params) => {
  const raw = parseSubmission(positional(params)[0], 'transaction')
  return rpc.chain.submit(raw).catch((error) => {
    if (error instanceof TransactionMalformed) {
      throw new JsonRpcError(-32602, 'failed to decode signed transaction', error.message)
    }
    if (error instanceof RollbedError && !(error instanceof JsonRpcError)) {
      throw chainRefusal(error)
    }
    throw error
  })
}
