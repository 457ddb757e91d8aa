import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'
import { passWithL1 } from './pass-with-l1.ts'

/**
 * `evm_setNextBlockTimestamp [seconds]`: the time of the next block; later ones follow at the usual
 * distance. L1 follows where it does with `evm_increaseTime`.
 *
 * @throws JsonRpcError -32602, also when it is not above the newest block's, -32000 (TIME_CUT_SHORT)
 */
export const setNextBlockTimestamp: CheatMethod = async (rpc, params, { signal }) => {
  const timestamp = parseCheatQuantity(positional(params)[0], 'timestamp', 40)
  if (!(await passWithL1(rpc, timestamp * 1000n, signal)))
    await rpc.cheats.setNextTimestamp(timestamp)
}
