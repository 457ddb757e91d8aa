import { positional } from '../../../../json-rpc/params/positional.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { fillRequest } from './fill-request.ts'

/** `eth_signTransaction [transaction]`, of a dev account → EIP-2718 bytes. @throws JsonRpcError -32602 */
export const ethSignTransaction: CheatMethod = async (rpc, params, context) => {
  const [request] = positional(params)
  const { from, transaction } = await fillRequest(rpc, request, 'transaction', context)
  return rpc.accounts.signer(from).signTransaction(transaction)
}
