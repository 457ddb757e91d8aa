import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { claimOf, forgeGame } from './forge-game.ts'
import { honestRoots, proposeHonestly } from './honest-game.ts'
import type { Scenario } from './scenario.ts'
import { owner } from './stage.ts'

export const invalidParent: Scenario = {
  name: 'invalid-parent',
  summary: 'the guardian blacklisted a game that another one is built on',
  async play(stage) {
    const parent = await proposeHonestly(stage)
    const tip = { parent: parent.address, block: parent.l2Block, root: parent.rootClaim }
    const { blockInterval } = await stage.rules()
    const roots = await honestRoots(stage, tip)
    const game = await forgeGame(stage, claimOf(tip, tip.block + blockInterval, roots))
    await stage.wallet(owner).send({
      address: stage.contracts.anchorStateRegistry,
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
