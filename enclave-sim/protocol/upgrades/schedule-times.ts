import type { Fork } from '../types/execution-config.ts'
import type { Schedule, Upgrade } from '../types/schedule.ts'
import { UPGRADES } from './upgrade-table.ts'

/**
 * Upgrades by their places in ProtocolVersions on L1.
 * Source: base/contracts, test/L1/ProtocolVersions.t.sol.
 */
export const LADDER = [
  ...(['Regolith', 'Canyon', 'Delta', 'Ecotone', 'Fjord', 'Granite', 'Holocene'] as const),
  ...(['PectraBlobSchedule', 'Isthmus', 'Jovian', 'Azul', 'Beryl', 'Cobalt', 'Denim'] as const),
]
/** It was of a test network. */
const NEVER_SCHEDULED = LADDER.indexOf('PectraBlobSchedule')
const JOVIAN = LADDER.indexOf('Jovian')

/**
 * When the upgrades of a chain come, by their places in ProtocolVersions: Unix seconds, or 0 where one is not
 * scheduled. What holds from genesis on has the time of the genesis block; what is not built (Beryl, Cobalt)
 * is not scheduled.
 * Source: base/base, schedule_id.rs.
 */
export function scheduleTimes(config: {
  fork: Fork
  upgrades?: Schedule
  genesis: { l2Time: number }
}): bigint[] {
  const { fork, upgrades = {}, genesis } = config
  const start = BigInt(genesis.l2Time)
  const times = LADDER.map((_, place) => (place < JOVIAN && place !== NEVER_SCHEDULED ? start : 0n))
  if (fork === 'jovian') times[JOVIAN] = start
  for (const [upgrade, at] of Object.entries(upgrades)) {
    if (at === 'never') continue
    times[UPGRADES[upgrade as Upgrade].place] = at === 'genesis' ? start : BigInt(at)
  }
  return times
}
