import { concatHex, keccak256, numberToHex } from 'viem'
import type { Hash } from '#protocol/types/bytes'
import { anchorOf, claimOf, forgeGame, leakedKey } from './forge-game.ts'
import { honestRoots } from './honest-game.ts'
import { withIntervals } from './new-implementation.ts'
import type { Scenario } from './scenario.ts'
import type { ScenarioContext } from './scenario-context.ts'

const places = {
  first: () => 0,
  middle: (count: number) => Math.floor(count / 2),
  last: (count: number) => count - 1,
}

/** A game with one root that no block has; a signer's key leaked, no enclave would sign it. */
export function badRoot(place: keyof typeof places): Scenario {
  return {
    name: `bad-root-${place}`,
    summary: `a game whose ${place} intermediate root is wrong, signed by a leaked key`,
    async play(context) {
      // A middle needs three roots: a new version of the game has them, if need be.
      const implementation = place === 'middle' ? await withIntervals(context, 3) : undefined
      const bad = await forgeBadRoot(context, places[place])
      return { ...bad, ...(implementation && { implementation }), leakedSigner: leakedKey.address }
    },
  }
}

/** @param at index of the wrong root among so many */
export async function forgeBadRoot(context: ScenarioContext, at: (count: number) => number) {
  const rules = await context.rules()
  const tip = await anchorOf(context)
  const truth = await honestRoots(context, tip)
  const index = at(truth.length)
  const roots = truth.with(index, await untrue(context, index))
  const game = await forgeGame(context, claimOf(tip, tip.block + rules.blockInterval, roots))
  return { game, badIndex: index, correctRoot: truth[index]!, now: refutation(index) }
}

export function refutation(index: number) {
  return {
    proposer: 'Do not build on the game: it claims other roots than the rollup node has.',
    challenger: `Nullify at index ${index} with a proof of that one interval, from game.l1Head and for your own address.`,
  }
}

/** Differs from game to game: the same one cannot be created twice. */
async function untrue(context: ScenarioContext, index: number): Promise<Hash> {
  const { hash } = await context.l1.getBlock()
  return keccak256(concatHex([hash, numberToHex(index)]))
}
