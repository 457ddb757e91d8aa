import { cannotJudge } from '../case-failure.ts'
import type { Hex } from '../wire/hex.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** Until what was on L1 is there no more. */
const MOST_REORGS = 5

interface TakenOut {
  /** The L1 block that holds it; undefined once it is in none. */
  blockOf: () => Promise<number | undefined>
  /** What happens while L1 has it; L1 stands still meanwhile, so that it does not become final. */
  before: () => Promise<unknown>
}

/** Has a reorganization of L1 take something out that is not final yet. @throws CaseSetAside */
export async function takeOutOfL1(
  { world, l1 }: WatchedCaller,
  { blockOf, before }: TakenOut,
): Promise<void> {
  const goOn = await world.fault('chain:l1', 'still')
  await before()
  const final = (await l1.result('eth_getBlockByNumber', ['finalized', false])) as { number: Hex }
  // A block may have been under way: then the first reorganization ends just above it.
  for (let tries = 0; tries < MOST_REORGS; tries += 1) {
    const block = await blockOf()
    if (block === undefined) return await goOn()
    // Nobody has to expect that L1 takes back what is final.
    if (block <= Number(final.number)) cannotJudge('L1 made it final before it was taken out.')
    const latest = Number(await l1.result('eth_blockNumber', []))
    // No deeper than that block: those before it hold the batches.
    await world.fault('chain:l1', 'reorg', { depth: latest - block + 1, keep: false })
  }
  cannotJudge('No reorganization of L1 took it out.')
}
