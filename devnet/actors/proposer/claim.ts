import { encodePacked } from 'viem'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { GameRules } from '../game-rules.ts'
import type { RollupClient } from '../rollup-client.ts'

/** Where the next game starts: the newest game of the chain of honest ones, or the anchor. */
export interface Tip {
  /** A game, or the anchor state registry. */
  parent: Address
  block: bigint
  root: Hash
}

/** What the game after a tip has to claim. */
export interface Claim {
  tip: Tip
  block: bigint
  root: Hash
  /** One every intermediate interval; the last is `root`. */
  roots: Hash[]
  /** uint256 block ‖ parent ‖ roots, packed. */
  extraData: Hex
}

/** What the rollup node says of the interval after a tip; undefined when it is not there yet. */
export async function claimAfter(
  tip: Tip,
  {
    blockInterval,
    intermediateInterval,
  }: Pick<GameRules, 'blockInterval' | 'intermediateInterval'>,
  rollup: RollupClient,
): Promise<Claim | undefined> {
  const block = tip.block + blockInterval
  const count = Number(blockInterval / intermediateInterval)
  const outputs = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      rollup.outputAtBlock(tip.block + BigInt(index + 1) * intermediateInterval),
    ),
  )
  const roots = outputs.flatMap((output) => output?.outputRoot ?? [])
  const root = roots.at(-1)
  if (!root || roots.length < count) return undefined
  const extraData = encodePacked(['uint256', 'address', 'bytes32[]'], [block, tip.parent, roots])
  return { tip, block, root, roots, extraData }
}
