import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseOptionalCheatQuantity } from '../parse-cheat-quantity.ts'

/** More would hold up everybody else for minutes. */
export const MAX_BLOCKS = 100_000n

/**
 * `anvil_mine [blocks?, interval?]`: makes blocks at once, with what the pool holds in the first.
 * `interval` are the seconds between them; 0 and absent: the block time.
 *
 * @throws JsonRpcError -32602
 */
export const mine: CheatMethod = async ({ cheats }, params, { signal }) => {
  const [blocksParam, intervalParam] = positional(params)
  const blocks = parseOptionalCheatQuantity(blocksParam, 'blocks', 1n)
  const interval = parseOptionalCheatQuantity(intervalParam, 'interval', 0n, 32)
  if (blocks > MAX_BLOCKS) throw invalidParams(`blocks: must be at most ${MAX_BLOCKS}`)
  await cheats.mine({ blocks: Number(blocks), interval, signal })
}
