import { RollbedError } from '../../../../../enclave-sim/protocol/errors/rollbed-error.ts'
import { TransactionMalformed } from '../../../../../enclave-sim/protocol/transaction/transaction-malformed.ts'
import { JsonRpcError } from '../../../../json-rpc/json-rpc-error.ts'
import { parseBytes } from '../../../../json-rpc/params/parse-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/**
 * `eth_sendRawTransaction [raw]`: the hash, once the transaction is in the pool.
 * @throws JsonRpcError -32602 when it cannot be decoded; -32000 when the pool refuses it
 */
export const ethSendRawTransaction: NodeMethod = async (rpc, params) => {
  const raw = parseBytes(positional(params)[0], 'transaction')
  return rpc.chain.submit(raw).catch((error) => {
    if (error instanceof TransactionMalformed) {
      throw new JsonRpcError(-32602, 'failed to decode signed transaction', error.message)
    }
    if (error instanceof RollbedError && !(error instanceof JsonRpcError)) {
      throw new JsonRpcError(-32000, error.message)
    }
    throw error
  })
}
