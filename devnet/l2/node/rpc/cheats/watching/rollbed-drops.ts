import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `rollbed_drops [hash | afterId?]` → transactions that left the pool or the chain and are nowhere now:
 * `{lastId, drops: [{id, hash, code, reason}]}`, oldest first, the newest 10,000; of one hash, or after an
 * id. One that was sent again is in it no more.
 *
 * @throws JsonRpcError -32602
 * @example
 * await client.request({ method: 'rollbed_drops', params: [] })
 */
export const rollbedDrops: CheatMethod = ({ cheats }, params) => {
  const { drops } = cheats.chain
  const [which = 0] = positional(params)
  if (typeof which === 'string' && which.length === 66) {
    const drop = drops.of(parseHash(which, 'hash'))
    return { lastId: drops.lastId, drops: drop ? [drop] : [] }
  }
  const after = typeof which === 'number' ? which : Number(parseQuantity(which, 'afterId'))
  return { lastId: drops.lastId, drops: drops.after(after) }
}
