import { activatedScheduleId, scheduleId } from '#protocol/derivation/schedule-id'
import type { Hash } from '#protocol/types/bytes'
import type { JournalEra } from '#protocol/types/journal-era'
import { LADDER } from '#protocol/upgrades/schedule-times'
import { JOURNAL_ERAS } from '#protocol/upgrades/upgrade-table'

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

/** The id of a schedule, and what it is of, as a phrase: `of what holds since Denim`. */
export interface NamedSchedule {
  id: Hash
  says: string
}

/** Schedule ids that journals of Base mainnet carry, and what each says. */
export const KNOWN_SCHEDULES: readonly NamedSchedule[] = [
  activated(UNTIL_BERYL, UNTIL_BERYL.at(-1)!),
  { id: scheduleId([...UNTIL_BERYL, 0n]), says: 'of the whole schedule before Cobalt had a time' },
  activated([...UNTIL_BERYL, COBALT], COBALT),
  activated([...UNTIL_BERYL, COBALT, DENIM], DENIM),
]

/**
 * The ids that journals over blocks up to a time may end with, one for each era, the newest first.
 * @param times of the upgrades by place, as ProtocolVersions has them
 * @param end seconds of the last block
 */
export function schedulesAt(times: readonly bigint[], end: bigint): NamedSchedule[] {
  const { id, says } = activated(times, end)
  const whole = scheduleId(times)
  if (id === whole) return [{ id, says: `${says}, which is the whole schedule` }]
  const since = (era: JournalEra) => `Base since ${JOURNAL_ERAS[era].since}`
  return [
    { id, says: `${says} (${since('activated-schedule')})` },
    { id: whole, says: `of the whole schedule (${since('whole-schedule')})` },
  ]
}

/**
 * Those that journals may have named until a time, the newest first: where the blocks are not known.
 * @param times of the upgrades by place, as ProtocolVersions has them
 * @param now seconds
 */
export function schedulesUntil(times: readonly bigint[], now: bigint): NamedSchedule[] {
  const earlier = times.filter((time) => time !== 0n && time <= now)
  return [...schedulesAt(times, now), ...earlier.map((time) => activated(times, time))]
}

/** What an id is of; undefined where no schedule of these has it. */
export function nameOfSchedule(id: Hash, schedules: readonly NamedSchedule[]): string | undefined {
  return schedules.find((each) => each.id === id)?.says
}

function activated(times: readonly bigint[], end: bigint): NamedSchedule {
  const newest = times.findLastIndex((time) => time !== 0n && time <= end)
  const says = newest < 0 ? 'of no upgrade' : `of what holds since ${LADDER[newest] ?? newest}`
  return { id: activatedScheduleId(times, end), says }
}
