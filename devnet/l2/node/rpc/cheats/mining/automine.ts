import { parseBoolean } from '#devnet/base/json-rpc/params/parse-boolean'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `evm_setAutomine [enabled]`: seals a block with every transaction, and then only. Off: nothing is
 * sealed but by `mine`, while flashblocks go on.
 *
 * @throws JsonRpcError -32602
 */
export const setAutomine: CheatMethod = async ({ cheats }, params) => {
  const enabled = parseBoolean(positional(params)[0], 'enabled')
  if (enabled) await cheats.setSealing({ by: 'transaction' })
  // As in anvil: turning off what is not on leaves interval mining as it is.
  else if (cheats.sealing.by === 'transaction') await cheats.setSealing({ by: 'hand' })
}

/** `anvil_getAutomine []` → whether every transaction gets its block at once. */
export const getAutomine: CheatMethod = ({ cheats }) => cheats.sealing.by === 'transaction'
