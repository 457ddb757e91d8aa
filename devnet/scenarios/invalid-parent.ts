import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { claimOf, forgeGame } from './forge-game.ts'
import { honestRoots, proposeHonestly } from './honest-game.ts'
import type { Scenario } from './scenario.ts'
import { owner } from './scenario-context.ts'

export const invalidParent: Scenario = {
  name: 'invalid-parent',
  summary: 'the guardian blacklisted a game that another one is built on',
  async play(context) {
    const parent = await proposeHonestly(context)
    const tip = { parent: parent.address, block: parent.l2Block, root: parent.rootClaim }
    const { blockInterval } = await context.rules(tip.block)
    const roots = await honestRoots(context, tip)
    const game = await forgeGame(context, claimOf(tip, tip.block + blockInterval, roots))
    await context.wallet(owner).send({
      address: context.contracts.anchorStateRegistry,
      abi: anchorStateRegistryAbi,
      functionName: 'blacklistDisputeGame',
      args: [parent.address],
    })
    return {
      parent,
      game,
      now: {
        proposer:
          'Build on neither game: the factory refuses the parent with InvalidParentGame. The child can be resolved at once, as lost.',
        challenger: 'Send nothing: all roots are true, and the child falls with its parent.',
      },
    }
  },
}
