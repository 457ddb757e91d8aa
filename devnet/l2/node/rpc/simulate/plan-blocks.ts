import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { PlannedBlock, SimulationEntry } from './simulation.ts'

/** Blocks one simulation may span (execution-apis, eth_simulateV1 notes). */
export const MAX_BLOCKS = 256

/**
 * Gives every entry its number and time before anything runs: the previous ones plus one and plus
 * the block time, unless overridden.
 *
 * @param fillGaps whether skipped numbers become empty blocks of their own.
 * @throws JsonRpcError -38020, -38021 when they do not rise; -38026 when they lie too far ahead
 */
export function planBlocks(
  base: { number: bigint; timestamp: bigint },
  entries: readonly SimulationEntry[],
  { blockTime, fillGaps }: { blockTime: bigint; fillGaps: boolean },
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
      timestamp += blockTime
      planned.push({ number, timestamp, calls: [], stateOverrides: [], blockOverrides: {} })
    }
    const time = blockOverrides.timestamp ?? timestamp + blockTime
    if (time <= timestamp) {
      throw new JsonRpcError(-38021, `block timestamps must be in order: ${time} <= ${timestamp}`)
    }
    number = wanted
    timestamp = time
    planned.push({ ...entry, number, timestamp })
  }
  return planned
}
