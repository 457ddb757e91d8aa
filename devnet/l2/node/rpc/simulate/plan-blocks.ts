import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { type BlockTimes, blockSeconds, firstFastBlock } from '#protocol/upgrades/block-times'
import { rulesAt } from '#protocol/upgrades/schedule'
import type { PlannedBlock, SimulationEntry } from './simulation.ts'

/** Blocks one simulation may span (execution-apis, eth_simulateV1 notes). */
export const MAX_BLOCKS = 256

/**
 * Gives every entry its number and time before anything runs: the previous ones plus one and plus
 * the block time, unless overridden. On a chain that crosses Denim an omitted time is that of the
 * schedule, and from then on blocks of one second follow each other.
 * Source of the latter: base/base #5043.
 *
 * @param times of the chain that is simulated upon
 * @param fillGaps whether skipped numbers become empty blocks of their own.
 * @throws JsonRpcError -38020, -38021 when they do not rise; -38026 when they lie too far ahead
 */
export function planBlocks(
  base: { number: bigint; timestamp: bigint },
  entries: readonly SimulationEntry[],
  { times, fillGaps }: { times: BlockTimes; fillGaps: boolean },
): PlannedBlock[] {
  const planned: PlannedBlock[] = []
  let { number, timestamp } = base
  for (const entry of entries) {
    const { blockOverrides } = entry
    const wanted = blockOverrides.number ?? number + 1n
    if (wanted <= number) {
      throw new JsonRpcError(-38020, `block numbers must be in order: ${wanted} <= ${number}`)
    }
    if (wanted - base.number > BigInt(MAX_BLOCKS)) throw new JsonRpcError(-38026, 'too many blocks')
    while (fillGaps && number + 1n < wanted) {
      number += 1n
      timestamp = timeAfter(times, timestamp, number)
      planned.push({ number, timestamp, calls: [], stateOverrides: [], blockOverrides: {} })
    }
    const time = blockOverrides.timestamp ?? timeAfter(times, timestamp, wanted)
    const mayEqual = isFast(times, timestamp) && isFast(times, time)
    if (time < timestamp || (time === timestamp && !mayEqual)) {
      throw new JsonRpcError(-38021, `block timestamps must be in order: ${time} <= ${timestamp}`)
    }
    number = wanted
    timestamp = time
    planned.push({ ...entry, number, timestamp })
  }
  return planned
}

/** Seconds of the block of a number, where nobody says otherwise. */
function timeAfter(times: BlockTimes, previous: bigint, number: bigint): bigint {
  if (firstFastBlock(times) !== undefined) {
    const scheduled = blockSeconds(times, number)
    if (scheduled > previous) return scheduled
    if (isFast(times, previous)) return previous
  }
  return previous + BigInt(times.blockTime)
}

/** Whether several blocks share a second then. */
function isFast({ upgrades }: BlockTimes, seconds: bigint): boolean {
  return rulesAt(upgrades, seconds * 1000n).blockInterval !== undefined
}
