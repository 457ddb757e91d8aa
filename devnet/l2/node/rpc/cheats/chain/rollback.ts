import { parseFlag } from '#devnet/base/json-rpc/params/parse-boolean'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseOptionalCheatQuantity } from '../parse-cheat-quantity.ts'

/**
 * `anvil_rollback [depth?, repool?]`: takes the newest blocks (1 unless told) out of the chain, and
 * what is pre-confirmed. With `repool` their transactions go back into the pool; anvil has no such.
 *
 * @throws JsonRpcError -32602, also when there are not as many blocks
 */
export const rollback: CheatMethod = async ({ cheats }, params) => {
  const [depth, repool] = positional(params)
  const count = Number(parseOptionalCheatQuantity(depth, 'depth', 1n, 52))
  await cheats.rollback(count, { repool: parseFlag(repool, 'repool') })
}
