import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { acceptInOrder } from './accept-in-order.ts'
import { fillRequest } from './fill-request.ts'
import { impersonatedTransaction } from './impersonated-transaction.ts'
import { signRequest } from './sign-request.ts'

/**
 * `eth_sendTransaction [transaction]`, from a dev account or an impersonated one → the hash, once it
 * is in the pool.
 *
 * @throws JsonRpcError -32602; -32000 when the pool refuses it
 */
export const ethSendTransaction: CheatMethod = (rpc, params, context) =>
  acceptInOrder(rpc, async () => {
    const [request] = positional(params)
    return signRequest(rpc, request, 'transaction', context)
  })

/** `eth_sendUnsignedTransaction [transaction]`: the same from anybody. */
export const ethSendUnsignedTransaction: CheatMethod = (rpc, params, context) =>
  acceptInOrder(rpc, async () => {
    const [request] = positional(params)
    const { from, transaction } = await fillRequest(rpc, request, 'transaction', context)
    return impersonatedTransaction(from, transaction)
  })
