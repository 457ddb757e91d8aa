import { hexToBytes } from '../../../../../enclave-sim/protocol/bytes/hex-to-bytes.ts'
import { decodeTransaction } from '../../../../../enclave-sim/protocol/transaction/decode-transaction.ts'
import type { SignedTransaction } from '../../../../../enclave-sim/protocol/types/transaction.ts'
import type { RpcContext } from '../../../../json-rpc/json-rpc-server.ts'
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
  const raw = await rpc.accounts.signer(from).signTransaction(transaction)
  return decodeTransaction(hexToBytes(raw)) as SignedTransaction
}
