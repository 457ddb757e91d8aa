import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/**
 * `evm_increaseTime [seconds]`: the next block comes this much later than it would, and all further
 * blocks with it → the seconds added so far. Nothing is mined.
 *
 * @throws JsonRpcError -32602
 */
export const increaseTime: CheatMethod = async ({ cheats }, params) => {
  const seconds = parseCheatQuantity(positional(params)[0], 'seconds', 40)
  return Number(await cheats.increaseTime(seconds))
}
