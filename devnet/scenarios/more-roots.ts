import { withRoots } from './new-implementation.ts'
import type { Scenario } from './scenario.ts'

export const moreRoots: Scenario = {
  name: 'more-roots',
  summary: 'new games carry more intermediate roots, those that exist keep theirs',
  async play(context) {
    const { blockInterval, intermediateInterval } = await context.rules()
    const before = Number(blockInterval / intermediateInterval)
    const implementation = await withRoots(context, before + 1)
    const { intermediateInterval: interval } = await context.rules()
    return {
      implementation,
      roots: { before, now: Number(blockInterval / interval) },
      now: {
        proposer: 'Throw away a proof for fewer roots, and have the claim proven anew.',
        challenger:
          'Read the interval of each game from that game, not from the implementation in force.',
      },
    }
  },
}
