import { forgeBadRoot } from './bad-root.ts'
import { leakedKey } from './forge-game.ts'
import { mineMany } from './l1-time.ts'
import type { Scenario } from './scenario.ts'

/** More than BLOCKHASH can look back. */
const BLOCKS = 300

export const staleL1Head: Scenario = {
  name: 'stale-l1-head',
  summary: `a game with a wrong root whose L1 head is ${BLOCKS} blocks old`,
  async play(context) {
    const bad = await forgeBadRoot(context, () => 0)
    await mineMany(context.rpc, BLOCKS)
    const { number, hash } = await context.l1.getBlock()
    return {
      ...bad,
      leakedSigner: leakedKey.address,
      newestL1Block: { number, hash },
      now: {
        ...bad.now,
        challenger: `Nullify at index ${bad.badIndex} with a proof from game.l1Head, old as it is: one from a newer block is refused with InvalidSigner.`,
      },
    }
  },
}
