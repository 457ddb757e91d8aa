import { activatedScheduleId, scheduleId } from '#protocol/derivation/schedule-id'
import type { Hash } from '#protocol/types/bytes'

/**
 * The times of Base mainnet's upgrades, Regolith to Beryl, by their places in ProtocolVersions; the 8th,
 * PectraBlobSchedule, was of a test network.
 * Source: base/contracts, test/L1/ProtocolVersions.t.sol.
 */
const UNTIL_BERYL = [
  1_686_789_347n, // Regolith
  1_704_992_401n, // Canyon
  1_708_560_000n, // Delta
  1_710_374_401n, // Ecotone
  1_720_627_201n, // Fjord
  1_726_070_401n, // Granite
  1_736_445_601n, // Holocene
  0n,
  1_746_806_401n, // Isthmus
  1_764_691_201n, // Jovian
  1_779_991_200n, // Azul
  1_782_410_400n, // Beryl
]
/** 30 September and 5 November 2026, 18:00 UTC: announced, and not read off the chain. */
const COBALT = 1_790_791_200n
const DENIM = 1_793_901_600n

/** Schedule ids that journals of Base mainnet carry, and what each says. */
export const KNOWN_SCHEDULES: readonly { id: Hash; says: string }[] = [
  activated(UNTIL_BERYL, 'Beryl'),
  { id: scheduleId([...UNTIL_BERYL, 0n]), says: 'of the whole schedule before Cobalt had a time' },
  activated([...UNTIL_BERYL, COBALT], 'Cobalt'),
  activated([...UNTIL_BERYL, COBALT, DENIM], 'Denim'),
]

function activated(times: readonly bigint[], newest: string) {
  return {
    id: activatedScheduleId(times, times.at(-1)!),
    says: `of what holds since ${newest}`,
  }
}
