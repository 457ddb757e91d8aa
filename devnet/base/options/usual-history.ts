import { endsPreconfirmations } from '#protocol/upgrades/schedule'
import { DEVNET_DEFAULTS } from './devnet-options.ts'

/**
 * Blocks whose states are kept where nobody says how many: of the same time whatever their distance, for ten of
 * 200 ms take that of one of 2 s.
 * @param upgrades of the chain, as an option or as its configuration has them
 */
export function usualHistory(upgrades?: Parameters<typeof endsPreconfirmations>[0]): number {
  return DEVNET_DEFAULTS.historyBlocks * (endsPreconfirmations(upgrades) ? 10 : 1)
}
