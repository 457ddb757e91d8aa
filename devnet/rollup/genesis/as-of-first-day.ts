import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { untilNewest } from '#protocol/upgrades/schedule'

/** The chain as enclave images of its first day know it; undefined where no upgrade came since. */
export function asOfFirstDay(config: RollupConfig): RollupConfig | undefined {
  const { upgrades = {}, genesis } = config
  const known = untilNewest(upgrades, BigInt(genesis.l2Time) * 1000n)
  if (Object.keys(known).length === Object.keys(upgrades).length) return undefined
  return { ...config, upgrades: known }
}
