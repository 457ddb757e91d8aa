import { bigIntToBytes, concatBytes, setLengthLeft } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import { blockSeconds } from '../upgrades/block-times.ts'
import { scheduleTimes } from '../upgrades/schedule-times.ts'
import { JOURNAL_ERAS } from '../upgrades/upgrade-table.ts'
import type { RollupConfig } from './rollup-config.ts'

const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`

/**
 * The id of a schedule of upgrades as ProtocolVersions on L1 chains it: each link is the hash of the one
 * before, the upgrade's place and its time.
 * Source: base/contracts, ProtocolVersions.sol (`scheduleId`).
 * @param times Unix seconds by place; 0: not scheduled
 * @example
 * scheduleId([1_111n])
 */
export function scheduleId(times: readonly bigint[]): Hash {
  return times.reduce<Hash>(
    (link, time, place) =>
      keccak256Hex(concatBytes(hexToBytes(link), word(BigInt(place)), word(time))),
    ZERO_HASH,
  )
}

/**
 * The same of the upgrades up to the newest that holds at a time on L2; zero where none does. This is
 * what journals carry since August 2026.
 * Source: base/contracts, ProtocolVersions.sol (`activatedScheduleId`).
 * @param timestamp of the last block of the range: Unix seconds
 */
export function activatedScheduleId(times: readonly bigint[], timestamp: bigint): Hash {
  const newest = times.findLastIndex((time) => time !== 0n && time <= timestamp)
  return scheduleId(times.slice(0, newest + 1))
}

/**
 * What journals of a chain end with; undefined where they name no schedule.
 * @param lastBlock of the game, or of the range where there is none
 */
export function journalScheduleId(config: RollupConfig, lastBlock: bigint): Hash | undefined {
  if (!config.journal) return undefined
  const times = scheduleTimes(config)
  return JOURNAL_ERAS[config.journal].hasAnnounced
    ? scheduleId(times)
    : activatedScheduleId(times, blockSeconds(config, lastBlock))
}

function word(value: bigint): Uint8Array {
  return setLengthLeft(bigIntToBytes(value), 32)
}
