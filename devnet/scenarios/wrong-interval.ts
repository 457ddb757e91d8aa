import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import { refutation } from './bad-root.ts'
import { anchorOf, claimOf, forgeGame, leakedKey } from './forge-game.ts'
import { honestRoots } from './honest-game.ts'
import type { Scenario } from './scenario.ts'

export const wrongInterval: Scenario = {
  name: 'wrong-interval',
  summary: 'a game whose claim is true, with intermediate roots of other blocks',
  async play(context) {
    const { blockInterval, intermediateInterval } = await context.rules()
    const tip = await anchorOf(context)
    const truth = await honestRoots(context, tip)
    if (truth.length < 2) throw new NoIntermediateRoots()
    const roots = await Promise.all(
      truth.map(async (claim, index): Promise<Hash> => {
        if (index === truth.length - 1) return claim
        const early = tip.block + BigInt(index + 1) * intermediateInterval - 1n
        return (await context.rollup.outputAtBlock(early))!.outputRoot
      }),
    )
    const game = await forgeGame(context, claimOf(tip, tip.block + blockInterval, roots))
    return {
      game,
      badIndex: 0,
      correctRoot: truth[0],
      leakedSigner: leakedKey.address,
      now: {
        ...refutation(0),
        proposer:
          'Create the honest game beside it: only that one has the right intermediate roots.',
      },
    }
  },
}

export class NoIntermediateRoots extends RollbedError {
  constructor() {
    super('NO_INTERMEDIATE_ROOTS', 'Games of this devnet have no root but their claim.')
  }
}
