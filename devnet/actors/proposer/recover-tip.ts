import { type PublicClient, zeroAddress } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash } from '#protocol/types/bytes'
import { type GameRules, intervalsFrom } from '../game-rules.ts'
import { lower } from '../lower.ts'
import { readIfThere } from '../read-if-there.ts'
import type { RollupClient } from '../rollup-client.ts'
import { type Claim, claimAfter, type Tip } from './claim.ts'

/** The anchor that games start from. A registry that knows no anchor game starts from itself. */
export async function readAnchor(
  l1: PublicClient,
  { anchorStateRegistry }: GameRules,
): Promise<Tip> {
  const registry = { address: anchorStateRegistry, abi: anchorStateRegistryAbi } as const
  const [game, [root, block]] = await Promise.all([
    readIfThere(l1.readContract({ ...registry, functionName: 'anchorGame' }), zeroAddress).then(
      lower,
    ),
    l1.readContract({ ...registry, functionName: 'getAnchorRoot' }),
  ])
  return { parent: game === zeroAddress ? anchorStateRegistry : game, block, root }
}

/**
 * Walks from a tip over the games that already claim what the rollup node says, up to the first
 * claim without a game.
 * @param head newest L2 block to look at
 * @param onGame told the new tip at every step, so that nothing is walked twice
 * @returns the claim to make next; undefined when its block is above the head
 */
export async function walk(
  tip: Tip,
  options: {
    l1: PublicClient
    rules: GameRules
    rollup: RollupClient
    head: bigint
    onGame(tip: Tip): void
  },
): Promise<Claim | undefined> {
  const { l1, rules, rollup, head, onGame } = options
  for (let at = tip; ; ) {
    const intervals = await intervalsFrom(l1, rules, at.block)
    if (at.block + intervals.blockInterval > head) return undefined
    const claim = await claimAfter(at, intervals, rollup)
    const game = claim && (await findGame(l1, rules, claim))
    if (!game) return claim
    at = { parent: game, block: claim.block, root: claim.root }
    onGame(at)
  }
}

/** The game that makes a claim, if there is one. */
export async function findGame(
  l1: PublicClient,
  { factory, gameType }: GameRules,
  { root, extraData }: Claim,
): Promise<Address | undefined> {
  const [game] = await l1.readContract({
    address: factory,
    abi: disputeGameFactoryAbi,
    functionName: 'games',
    args: [gameType, root, extraData],
  })
  return game === zeroAddress ? undefined : lower(game)
}

/** Whether the game of a tip is on L1 still, and claims the same; at its address may be another. */
export async function isGameOf(l1: PublicClient, { parent, root }: Tip): Promise<boolean> {
  const game = { address: parent, abi: aggregateVerifierAbi } as const
  return (
    (await readIfThere(l1.readContract({ ...game, functionName: 'rootClaim' }), undefined)) === root
  )
}

/** @throws AnchorDisagrees: then no proof can start from there. */
export async function checkAnchor(anchor: Tip, rollup: RollupClient): Promise<void> {
  const own = await rollup.outputAtBlock(anchor.block)
  if (own && own.outputRoot !== anchor.root) throw new AnchorDisagrees(anchor, own.outputRoot)
}

export class AnchorDisagrees extends RollbedError {
  constructor({ block, root }: Tip, own: Hash) {
    super(
      'ANCHOR_DISAGREES',
      `The anchor at L2 block ${block} is ${root}, but the rollup node has ${own}.`,
      { hint: 'The rollup node follows another chain than these contracts.' },
    )
  }
}
