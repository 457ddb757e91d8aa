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
  return firstOf(upgrades, parentMs, timestampMs).reduce((config, upgrade) => {
    const scale = UPGRADES[upgrade].once?.gasScale
    if (scale === undefined) return config
    return {
      ...config,
      gasLimit: config.gasLimit / BigInt(scale),
      eip1559Denominator: Math.min(config.eip1559Denominator * scale, MOST),
    }
  }, systemConfig)
}
