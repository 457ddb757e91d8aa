import { bigIntToBytes, concatBytes, setLengthLeft } from '@ethereumjs/util'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { Hash } from '#protocol/types/bytes'
import { ZERO_HASH } from './signed-claim.ts'

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

function word(value: bigint): Uint8Array {
  return setLengthLeft(bigIntToBytes(value), 32)
}
