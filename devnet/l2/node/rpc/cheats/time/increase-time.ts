import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'
import { passWithL1 } from './pass-with-l1.ts'

/**
 * `evm_increaseTime [seconds]`: the next block comes this much later than it would, and all further
 * blocks with it → the seconds added so far. Nothing is mined; but where that is a time at which a block
 * is due, at most 150 blocks away, L1 and L2 pass it together, with the blocks in between, and the chain
 * stays provable.
 *
 * @throws JsonRpcError -32602, -32000 (TIME_CUT_SHORT)
 */
export const increaseTime: CheatMethod = async (rpc, params, { signal }) => {
  const { cheats } = rpc
  const seconds = parseCheatQuantity(positional(params)[0], 'seconds', 40)
  const next = cheats.nextTimestampMs()
  const isThere = next !== undefined && (await passWithL1(rpc, next + seconds * 1000n, signal))
  return Number(isThere ? cheats.addSeconds(seconds) : await cheats.increaseTime(seconds))
}
