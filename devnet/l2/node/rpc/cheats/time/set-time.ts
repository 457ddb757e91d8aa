import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'
import { passWithL1 } from './pass-with-l1.ts'

/**
 * `evm_setTime [seconds]`: what time it is; the next block comes then, later ones at the usual distance →
 * by how many seconds that is after the newest block. L1 follows where it does with `evm_increaseTime`.
 *
 * @throws JsonRpcError -32602, also when it is not after it, -32000 (TIME_CUT_SHORT)
 */
export const setTime: CheatMethod = async (rpc, params, { signal }) => {
  const time = parseCheatQuantity(positional(params)[0], 'time', 40)
  const before = rpc.chain.latest().header.timestamp
  if (!(await passWithL1(rpc, time * 1000n, signal))) await rpc.cheats.setNextTimestamp(time)
  return Number(time - before)
}
