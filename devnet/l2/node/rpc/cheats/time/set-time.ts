import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/**
 * `evm_setTime [seconds]`: what time it is; the next block comes then, later ones at the usual distance →
 * by how many seconds that is after the newest block. @throws JsonRpcError -32602, also when it is not after it
 */
export const setTime: CheatMethod = async ({ cheats, chain }, params) => {
  const time = parseCheatQuantity(positional(params)[0], 'time', 40)
  const before = chain.latest().header.timestamp
  await cheats.setNextTimestamp(time)
  return Number(time - before)
}
