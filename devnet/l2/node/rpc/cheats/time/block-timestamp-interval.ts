import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/**
 * `anvil_setBlockTimestampInterval [seconds]`: how far apart the times of blocks are, however fast
 * they are made.
 *
 * @throws JsonRpcError -32602
 */
export const setBlockTimestampInterval: CheatMethod = async ({ cheats }, params) => {
  const timestampInterval = parseCheatQuantity(positional(params)[0], 'seconds', 32)
  if (timestampInterval === 0n) throw invalidParams('seconds: two blocks cannot have one time')
  await cheats.setConditions({ timestampInterval })
}

/** `anvil_removeBlockTimestampInterval []` → whether there was one. */
export const removeBlockTimestampInterval: CheatMethod = ({ cheats }) =>
  cheats.removeTimestampInterval()
