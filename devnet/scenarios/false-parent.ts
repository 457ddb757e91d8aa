import { forgeBadRoot, refutation, untrue } from './bad-root.ts'
import { claimOf, forgeGame, leakedKey } from './forge-game.ts'
import type { Scenario } from './scenario.ts'

export const falseParent: Scenario = {
  name: 'false-parent',
  summary: 'a game that is built on one whose claim is wrong, both signed by a leaked key',
  async play(context) {
    const {
      game: parent,
      badIndex,
      correctRoot,
    } = await forgeBadRoot(context, (count) => count - 1)
    const tip = { parent: parent.address, block: parent.l2Block, root: parent.rootClaim }
    const { blockInterval, intermediateInterval } = await context.rules(tip.block)
    const count = Number(blockInterval / intermediateInterval)
    const roots = await Promise.all(Array.from({ length: count }, (_, at) => untrue(context, at)))
    const game = await forgeGame(context, claimOf(tip, tip.block + blockInterval, roots))
    return {
      parent,
      game,
      badIndex,
      correctRoot,
      leakedSigner: leakedKey.address,
      now: {
        proposer: 'Build on neither game: nothing true stands on a false claim.',
        challenger: `${refutation(badIndex).challenger} That is of the parent: no proof can start from a root that no block has, so the child is passed over.`,
      },
    }
  },
}
