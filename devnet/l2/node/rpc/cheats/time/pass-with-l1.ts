import type { CheatRpc } from '../cheat-rpc.ts'
import { asRefusal } from './rollbed-time.ts'

/** Blocks of one journey at most: they take some 3 s, and clients that wait 10 s ask again. */
const MOST_BLOCKS = 150

/**
 * Lets time pass for the whole devnet until the block with this time is the one being built, so that the
 * chain still follows from L1. That goes where the devnet has a time of its own, blocks come by time, one
 * of them is due then, and no more than 150 come before it.
 * @param timestampMs of the block: milliseconds since 1970
 * @returns whether it is the one being built; false: nothing has happened, or other blocks came meanwhile
 * @throws JsonRpcError -32000 (TIME_CUT_SHORT)
 */
export async function passWithL1(
  { cheats, chain, time }: Pick<CheatRpc, 'cheats' | 'chain' | 'time'>,
  timestampMs: bigint,
  signal: AbortSignal,
): Promise<boolean> {
  if (!time || chain.divergence()) return false
  const wait = cheats.untilBuilding(timestampMs, MOST_BLOCKS)
  if (wait === undefined) return false
  await time.travelTo(time.now() + wait, signal).catch(asRefusal)
  return cheats.isBuilding(timestampMs)
}
