import type { Hash } from '../../../../../enclave-sim/protocol/types/bytes.ts'
import type { SignedTransaction } from '../../../../../enclave-sim/protocol/types/transaction.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { ChainCheats } from '../../../sequencer/chain-cheats.ts'
import type { CheatMethod, CheatRpc } from '../cheat-rpc.ts'
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
  inOrder(rpc, async () => {
    const [request] = positional(params)
    return signRequest(rpc, request, 'transaction', context)
  })

/** `eth_sendUnsignedTransaction [transaction]`: the same from anybody. */
export const ethSendUnsignedTransaction: CheatMethod = (rpc, params, context) =>
  inOrder(rpc, async () => {
    const [request] = positional(params)
    const { from, transaction } = await fillRequest(rpc, request, 'transaction', context)
    return impersonatedTransaction(from, transaction)
  })

const queues = new WeakMap<ChainCheats, Promise<unknown>>()

/** One after the other, whatever endpoint they come by, so that two at once do not take the same nonce. */
function inOrder(rpc: CheatRpc, sign: () => Promise<SignedTransaction>): Promise<Hash> {
  const turn = queues.get(rpc.cheats) ?? Promise.resolve()
  const sent = turn.then(async () => rpc.cheats.chain.accept(await sign()))
  queues.set(
    rpc.cheats,
    sent.catch(() => {}),
  )
  return sent
}
