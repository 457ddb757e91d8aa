import type { Claim, Tip } from '#devnet/actors/proposer/claim'
import { claimAfter } from '#devnet/actors/proposer/claim'
import { createProposer } from '#devnet/actors/proposer/create-proposer'
import { findGame, walk } from '#devnet/actors/proposer/recover-tip'
import { type Game, readGame } from '#devnet/actors/read-game'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { gameType } from '#fixtures/chain/constants'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import { anchorOf } from './forge-game.ts'
import type { Scenario } from './scenario.ts'
import { player, type ScenarioContext } from './scenario-context.ts'

export const honestGame: Scenario = {
  name: 'honest-game',
  summary: 'a true game, proven by the prover host',
  async play(context) {
    const game = await proposeHonestly(context)
    return {
      game,
      now: {
        proposer: `Take the game as the tip: the next one starts at L2 block ${game.l2Block}.`,
        challenger: 'Recompute its roots, find nothing wrong, send nothing.',
      },
    }
  },
}

/**
 * The next honest game; an actor of the devnet may be the one that creates it.
 * @throws NotProposed
 */
export async function proposeHonestly(context: ScenarioContext): Promise<Game> {
  const { claim } = await nextClaim(context)
  const proposer = createProposer({
    l1: context.rpc,
    rollup: rpcClientOf(context.rollupRpcUrl),
    prover: rpcClientOf(context.proverUrl),
    wallet: context.wallet(player),
    factory: context.contracts.disputeGameFactory,
    gameType,
    logger: context.logger,
    finality: 'safe',
  })
  await context.untilDue(claim.block)
  context.progress(
    `proving L2 blocks ${claim.tip.block + 1n}..${claim.block} and creating a game of them`,
  )
  const outcome = await proposer.round()
  const game = await findGame(context.l1, await context.rules(), claim)
  if (!game) throw new NotProposed(outcome.kind, 'reason' in outcome ? outcome.reason : undefined)
  return await readGame(context.l1, game)
}

/** The honest claim after the newest honest game, as soon as its blocks are safe. */
export async function nextClaim(context: ScenarioContext): Promise<{ tip: Tip; claim: Claim }> {
  const { l1, rollup } = context
  const rules = await context.rules()
  let tip = await anchorOf(context)
  const onGame = (game: Tip) => {
    tip = game
  }
  const head = await rollup.head('safe')
  await walk(tip, { l1, rules, rollup, head, onGame })
  const next = await context.rules(tip.block)
  await context.untilSafe(tip.block + next.blockInterval)
  return { tip, claim: (await claimAfter(tip, next, rollup))! }
}

/** What is true at the end of each interval after a tip, as soon as its blocks are safe. */
export async function honestRoots(context: ScenarioContext, tip: Tip): Promise<Hash[]> {
  const rules = await context.rules(tip.block)
  await context.untilSafe(tip.block + rules.blockInterval)
  return (await claimAfter(tip, rules, context.rollup))!.roots
}

export class NotProposed extends RollbedError {
  constructor(kind: string, reason = 'nothing was created') {
    super('NOT_PROPOSED', `No honest game: ${kind}, ${reason}.`, {
      hint: 'An earlier scenario may have stopped the proof system: start a new devnet.',
    })
  }
}
