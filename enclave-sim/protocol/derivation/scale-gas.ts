import type { Schedule } from '../types/schedule.ts'
import { firstOf } from '../upgrades/schedule.ts'
import { UPGRADES } from '../upgrades/upgrade-table.ts'
import type { SystemConfig } from './rollup-config.ts'

/** EIP-1559 parameters are u32 in a header. */
const MOST = 2 ** 32 - 1

/**
 * The system configuration of a block that is an upgrade's first, where that changes it: shorter blocks
 * hold less gas, and their base fee moves by smaller steps. Later blocks find the new values in the
 * header before them. What L1 says later replaces them as it is; what L1 said just before is scaled, too.
 * Source: base/base, attributes/stateful.rs.
 * @param parentMs milliseconds of the parent, or its header's seconds × 1000; `timestampMs` of the block
 */
export function scaleGas(
  systemConfig: SystemConfig,
  upgrades: Schedule | undefined,
  parentMs: bigint,
  timestampMs: bigint,
): SystemConfig {
  const scales = firstOf(upgrades, parentMs, timestampMs).map(
    (upgrade) => UPGRADES[upgrade].once?.gasScale ?? 1,
  )
  const scale = scales.reduce((product, each) => product * each, 1)
  if (scale === 1) return systemConfig
  return {
    ...systemConfig,
    gasLimit: systemConfig.gasLimit / BigInt(scale),
    eip1559Denominator: Math.min(systemConfig.eip1559Denominator * scale, MOST),
  }
}
