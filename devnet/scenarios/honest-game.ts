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
import { player, type Stage } from './stage.ts'

export const honestGame: Scenario = {
  name: 'honest-game',
  summary: 'a true game, proven by the prover host',
  async play(stage) {
    const game = await proposeHonestly(stage)
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
export async function proposeHonestly(stage: Stage): Promise<Game> {
  const { claim } = await nextClaim(stage)
  const proposer = createProposer({
    l1: stage.rpc,
    rollup: rpcClientOf(stage.rollupRpcUrl),
    prover: rpcClientOf(stage.proverUrl),
    wallet: stage.wallet(player),
    factory: stage.contracts.disputeGameFactory,
    gameType,
    logger: stage.logger,
    finality: 'safe',
  })
  stage.progress(
    `proving L2 blocks ${claim.tip.block + 1n}..${claim.block} and creating a game of them`,
  )
  const outcome = await proposer.round()
  const game = await findGame(stage.l1, await stage.rules(), claim)
  if (!game) throw new NotProposed(outcome.kind, 'reason' in outcome ? outcome.reason : undefined)
  return await readGame(stage.l1, game)
}

/** The honest claim after the newest honest game, as soon as its blocks are safe. */
export async function nextClaim(stage: Stage): Promise<{ tip: Tip; claim: Claim }> {
  const { l1, rollup } = stage
  const rules = await stage.rules()
  let tip = await anchorOf(stage)
  const onGame = (game: Tip) => {
    tip = game
  }
  const head = await rollup.head('safe')
  await walk(tip, { l1, rules, rollup, head, onGame })
  await stage.untilSafe(tip.block + rules.blockInterval)
  return { tip, claim: (await claimAfter(tip, rules, rollup))! }
}

/** What is true at the end of each interval after a tip, as soon as its blocks are safe. */
export async function honestRoots(stage: Stage, tip: Tip): Promise<Hash[]> {
  const rules = await stage.rules()
  await stage.untilSafe(tip.block + rules.blockInterval)
  return (await claimAfter(tip, rules, stage.rollup))!.roots
}

export class NotProposed extends RollbedError {
  constructor(kind: string, reason = 'nothing was created') {
    super('NOT_PROPOSED', `No honest game: ${kind}, ${reason}.`, {
      hint: 'An earlier scenario may have stopped the proof system: start a new devnet.',
    })
  }
}
