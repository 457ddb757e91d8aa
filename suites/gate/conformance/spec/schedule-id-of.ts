import { encodeAbiParameters } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { keccak256 } from './hash.ts'

const NONE: Hex = `0x${'00'.repeat(32)}`
const LINK = [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'uint64' }] as const

/**
 * The id of a schedule of upgrades, in seconds by place, 0 for one that is not scheduled: a chain of hashes over
 * place and time (base/contracts, ProtocolVersions).
 *
 * @param until only the upgrades up to the highest that is active at this second; undefined: all
 */
export function scheduleIdOf(schedule: readonly bigint[], until?: bigint): Hex {
  const isActive = (time: bigint) => time !== 0n && (until === undefined || time <= until)
  const length = until === undefined ? schedule.length : schedule.findLastIndex(isActive) + 1
  return schedule
    .slice(0, length)
    .reduce<Hex>(
      (id, time, place) => keccak256(encodeAbiParameters(LINK, [id, BigInt(place), time])),
      NONE,
    )
}
