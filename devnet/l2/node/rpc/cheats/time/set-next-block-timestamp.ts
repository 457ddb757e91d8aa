import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/**
 * `evm_setNextBlockTimestamp [seconds]`: the time of the next block; later ones follow at the usual
 * distance.
 *
 * @throws JsonRpcError -32602, also when it is not above the newest block's
 */
export const setNextBlockTimestamp: CheatMethod = async ({ cheats }, params) => {
  await cheats.setNextTimestamp(parseCheatQuantity(positional(params)[0], 'timestamp', 40))
}
