import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { CheatRpc } from '../cheat-rpc.ts'
import { fillRequest } from './fill-request.ts'
import { impersonatedTransaction } from './impersonated-transaction.ts'

/**
 * Completes what `eth_sendTransaction` was asked for and signs it: with a dev key, or as somebody
 * impersonated.
 *
 * @throws JsonRpcError -32602 when the sender is neither
 */
export async function signRequest(
  rpc: CheatRpc,
  request: unknown,
  name: string,
  context: RpcContext,
): Promise<SignedTransaction> {
  const { from, transaction } = await fillRequest(rpc, request, name, context)
  if (rpc.accounts.isImpersonated(from)) return impersonatedTransaction(from, transaction)
  const raw = rpc.accounts.signTransaction(from, transaction)
  return decodeTransaction(hexToBytes(raw)) as SignedTransaction
}
