import { concatHex, keccak256, numberToHex } from 'viem'
import type { Hash } from '#protocol/types/bytes'
import { anchorOf, claimOf, forgeGame, leakedKey } from './forge-game.ts'
import { honestRoots } from './honest-game.ts'
import { withRoots } from './new-implementation.ts'
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
      const implementation = place === 'middle' ? await withRoots(context, 3) : undefined
      const bad = await forgeBadRoot(context, places[place])
      return { ...bad, ...(implementation && { implementation }), leakedSigner: leakedKey.address }
    },
  }
}

/** A game of five roots with several that no block has: only the first of them can be refuted. */
export function badRoots(count: keyof typeof severalAt): Scenario {
  return {
    name: `${count}-bad-roots`,
    summary: `a game with ${count} wrong roots of five, signed by a leaked key`,
    async play(context) {
      const implementation = await withRoots(context, 5)
      const bad = await forgeBadRoots(context, severalAt[count])
      return { ...bad, ...(implementation && { implementation }), leakedSigner: leakedKey.address }
    },
  }
}

/** Neither the first root nor, of two, the next one is wrong. */
const severalAt = { two: [1, 3], three: [2, 3, 4] } as const

/** @param at index of the wrong root among so many */
export async function forgeBadRoot(context: ScenarioContext, at: (count: number) => number) {
  const { blockInterval, intermediateInterval } = await context.rules()
  return await forgeBadRoots(context, [at(Number(blockInterval / intermediateInterval))])
}

/** @param at indices of the wrong roots, the smallest first */
async function forgeBadRoots(context: ScenarioContext, at: readonly number[]) {
  const rules = await context.rules()
  const tip = await anchorOf(context)
  const truth = await honestRoots(context, tip)
  const lies = await Promise.all(at.map((index) => untrue(context, index)))
  const roots = truth.map((root, index) => lies[at.indexOf(index)] ?? root)
  const game = await forgeGame(context, claimOf(tip, tip.block + rules.blockInterval, roots))
  const [index = 0] = at
  return { game, badIndex: index, correctRoot: truth[index]!, now: refutation(index) }
}

export function refutation(index: number) {
  return {
    proposer: 'Do not build on the game: it claims other roots than the rollup node has.',
    challenger: `Nullify at index ${index} with a proof of that one interval, from game.l1Head and for your own address.`,
  }
}

/** Differs from game to game: the same one cannot be created twice. */
export async function untrue(context: ScenarioContext, index: number): Promise<Hash> {
  const { hash } = await context.l1.getBlock()
  return keccak256(concatHex([hash, numberToHex(index)]))
}
