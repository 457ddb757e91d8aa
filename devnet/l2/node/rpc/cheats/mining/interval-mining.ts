import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

const HOUR = 3600n

/**
 * `evm_setIntervalMining [seconds]`: a block every so many seconds, with times as far apart; 0: none
 * but by `mine`, while flashblocks go on.
 *
 * @throws JsonRpcError -32602
 */
export const setIntervalMining: CheatMethod = async ({ cheats }, params) => {
  const seconds = parseCheatQuantity(positional(params)[0], 'seconds')
  if (seconds > HOUR) throw invalidParams(`seconds: must be at most ${HOUR}`)
  await cheats.setSealing(
    seconds === 0n ? { by: 'hand' } : { by: 'time', blockTime: Number(seconds) },
  )
}

/** `anvil_getIntervalMining []` → seconds, or null when no time seals blocks. */
export const getIntervalMining: CheatMethod = ({ cheats: { sealing } }) =>
  sealing.by === 'time' ? sealing.blockTime : null
