import type { Fork } from '../types/execution-config.ts'
import type { Schedule, Upgrade } from '../types/schedule.ts'
import { UPGRADES } from './upgrade-table.ts'

/** Places in ProtocolVersions on L1: Regolith 0 to Denim 13. */
const PLACES = 14
/** PectraBlobSchedule, which was of a test network. */
const NEVER_SCHEDULED = 7
const JOVIAN = 9

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
  const times = Array.from({ length: PLACES }, (_, place) =>
    place < JOVIAN && place !== NEVER_SCHEDULED ? start : 0n,
  )
  if (fork === 'jovian') times[JOVIAN] = start
  for (const [upgrade, at] of Object.entries(upgrades)) {
    if (at === 'never') continue
    times[UPGRADES[upgrade as Upgrade].place] = at === 'genesis' ? start : BigInt(at)
  }
  return times
}
