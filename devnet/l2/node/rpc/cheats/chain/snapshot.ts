import { positional } from '#devnet/base/json-rpc/params/positional'
import { toQuantity } from '../../json/hex.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/** `evm_snapshot []` → its id. Pre-confirmed transactions are sealed first, so that they are in it. */
export const snapshot: CheatMethod = async ({ cheats }) => toQuantity(await cheats.snapshot())

/**
 * `evm_revert [id]`: back to a snapshot; later blocks, pre-confirmations and pooled transactions are
 * gone → whether the snapshot was there. It can be used once, as can all taken after it.
 *
 * @throws JsonRpcError -32602
 */
export const revert: CheatMethod = async ({ cheats }, params) =>
  cheats.revert(Number(parseCheatQuantity(positional(params)[0], 'id', 52)))
