import type { Hash } from '#protocol/types/bytes'
import type { Game } from '../read-game.ts'
import type { Output } from '../rollup-client.ts'

export type Verdict =
  | { kind: 'honest' }
  /** It starts from a wrong root: its parent is at fault, and no proof can start there. */
  | { kind: 'bad start' }
  | BadRoot

/** The first wrong intermediate root: the only index a proof can be made for. */
export interface BadRoot {
  kind: 'bad root'
  index: number
  /** The last block both agree on, and what is true one interval later. */
  agreed: Output & { number: bigint }
  truth: Output & { number: bigint }
}

/**
 * Compares a game's roots with recomputed ones, in order, up to the first difference.
 * @param interval blocks between two intermediate roots
 */
export async function judgeGame(
  game: Game,
  interval: bigint,
  recompute: (number: bigint) => Promise<Output>,
): Promise<Verdict> {
  const at = async (number: bigint) => ({ ...(await recompute(number)), number })
  let agreed = await at(game.startBlock)
  if (agreed.outputRoot !== game.startRoot) return { kind: 'bad start' }
  for (const [index, root] of game.roots.entries()) {
    const truth = await at(game.startBlock + BigInt(index + 1) * interval)
    if (truth.outputRoot !== root) return { kind: 'bad root', index, agreed, truth }
    agreed = truth
  }
  return { kind: 'honest' }
}

/** Roots as they stand in a verdict, for logs. */
export function wrongRoot(game: Game, { index, truth }: BadRoot): { given: Hash; truth: Hash } {
  return { given: game.roots[index]!, truth: truth.outputRoot }
}
