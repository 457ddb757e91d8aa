import { positional } from '#devnet/base/json-rpc/params/positional'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { transactionFields } from '../../json/transaction-json.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { fillRequest } from './fill-request.ts'

/**
 * `eth_signTransaction [transaction]`, of a dev account → its EIP-2718 bytes as `raw` and its members as
 * `tx` (execution-apis); in profile base only the bytes, as anvil. @throws JsonRpcError -32602
 */
export const ethSignTransaction: CheatMethod = async (rpc, params, context) => {
  const [request] = positional(params)
  const { from, transaction } = await fillRequest(rpc, request, 'transaction', context)
  const raw = rpc.accounts.signTransaction(from, transaction)
  if (rpc.profile.signedTransaction === 'bytes') return raw
  return { raw, tx: transactionFields(decodeTransaction(hexToBytes(raw))) }
}
