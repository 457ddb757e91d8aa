import type { ChainCheats } from '#devnet/l2/node/sequencer/chain-cheats'
import type { Hash } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { CheatRpc } from '../cheat-rpc.ts'

const queues = new WeakMap<ChainCheats, Promise<unknown>>()

/**
 * One after the other, whatever endpoint they come by, so that two at once do not take the same nonce.
 * @throws ChainWaits, PoolRejected
 */
export function acceptInOrder(
  rpc: CheatRpc,
  sign: () => Promise<SignedTransaction>,
): Promise<Hash> {
  const turn = queues.get(rpc.cheats) ?? Promise.resolve()
  const sent = turn.then(async () => {
    const { chain } = rpc.cheats
    chain.assertWritten()
    return chain.accept(await sign())
  })
  queues.set(
    rpc.cheats,
    sent.catch(() => {}),
  )
  return sent
}
