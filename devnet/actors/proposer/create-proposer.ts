import type { BaseLogger } from 'pino'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { ProofRequest } from '#protocol/proof/types'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { checkProof, checkSigner, signerOf } from '../check-proof.ts'
import { type GameRules, gameRules, intervalsFrom, scheduleIdsOf } from '../game-rules.ts'
import { l1Client } from '../l1-client.ts'
import { L1Reverted } from '../l1-reverted.ts'
import type { L1Wallet } from '../l1-wallet.ts'
import { proverClient } from '../prover-client.ts'
import { parentProblem } from '../read-game.ts'
import { type Finality, rollupClient } from '../rollup-client.ts'
import type { Outcome, Rounds } from '../start-actor.ts'
import { teeObstacle } from '../tee-obstacle.ts'
import type { Claim, Tip } from './claim.ts'
import { checkAnchor, findGame, isGameOf, readAnchor, walk } from './recover-tip.ts'
import { createCall, type ProvenClaim, staleness } from './submission.ts'

export interface ProposerOptions {
  l1: RpcClient
  /** Rollup node: optimism_outputAtBlock, optimism_syncStatus. */
  rollup: RpcClient
  /** Prover host. */
  prover: RpcClient
  /** Pays the bonds; has to be on the list of proposers. */
  wallet: L1Wallet
  /** DisputeGameFactory on L1. */
  factory: Address
  gameType: number
  logger: BaseLogger
  /** Which L2 blocks are proposed. Default `finalized`. */
  finality?: Finality
  /** Look the proof's signer up before submitting. Default true. */
  checkSigners?: boolean
  /** Prove and check, but send nothing. */
  dryRun?: boolean
}

export type ProposerOutcome = Outcome &
  (
    | { kind: 'waiting'; block: bigint; head: bigint }
    | { kind: 'blocked'; reason: string }
    | { kind: 'created'; block: bigint; root: Hash; game: Address; transaction: Hash }
    | { kind: 'exists'; block: bigint; root: Hash }
    | { kind: 'early'; block: bigint; reason: string }
    | { kind: 'stale'; block: bigint; reason: string }
    | { kind: 'dry-run'; block: bigint; root: Hash; extraData: Hex }
  )

/** Submissions of one proof before everything is looked at again from the anchor on. */
const MAX_SUBMISSIONS = 3

/**
 * Proposes output roots, one game after the other. A round recovers where the chain of games ends
 * (from L1 alone, so a restart loses nothing), waits for the next interval to be final, proves it,
 * looks at everything again (PIPE-23) and creates the game. A proof is kept until it is submitted.
 */
export function createProposer(options: ProposerOptions): Rounds<ProposerOutcome> {
  const { wallet, logger, finality = 'finalized', checkSigners = true, dryRun = false } = options
  const l1 = l1Client(options.l1)
  const rollup = rollupClient(options.rollup)
  const prover = proverClient(options.prover)
  const readRules = gameRules(l1, options.factory, options.gameType)

  let tip: Tip | undefined
  let proven: ProvenClaim | undefined
  let submissions = 0

  function reset(): void {
    tip = undefined
    proven = undefined
    submissions = 0
  }

  /** The anchor may have passed what was walked to, and a first round begins there. */
  async function recover(rules: GameRules): Promise<Tip> {
    const anchor = await readAnchor(l1, rules)
    if (tip && tip.parent !== anchor.parent && !(await isGameOf(l1, tip))) {
      // A reorganization of L1 took the game out, and perhaps those before it.
      logger.warn({ game: tip.parent }, 'a game is gone from L1')
      reset()
    }
    if (!tip || tip.block < anchor.block) {
      await checkAnchor(anchor, rollup)
      tip = anchor
      proven = undefined
    }
    return tip
  }

  async function prove(claim: Claim, rules: GameRules): Promise<ProvenClaim> {
    const [agreed, head] = await Promise.all([
      rollup.outputAtBlock(claim.tip.block),
      l1.getBlock({ blockTag: 'latest' }),
    ])
    const intervals = await intervalsFrom(l1, rules, claim.tip.block)
    const request: ProofRequest = {
      l1Head: head.hash,
      l1HeadNumber: head.number,
      agreedL2HeadHash: agreed!.blockHash,
      agreedL2OutputRoot: claim.tip.root,
      claimedL2OutputRoot: claim.root,
      claimedL2BlockNumber: claim.block,
      proposer: wallet.address,
      intermediateBlockInterval: intervals.intermediateInterval,
      imageHash: rules.teeImageHash,
    }
    logger.info({ block: Number(claim.block), l1Head: Number(head.number) }, 'asking for a proof')
    const proof = await prover.prove(request)
    const scheduleIds = await scheduleIdsOf(l1, rules, claim.block)
    checkProof(proof.aggregateProposal, request, { ...rules, scheduleIds })
    if (checkSigners) {
      const range = { startBlock: claim.tip.block, roots: claim.roots }
      await checkSigner(l1, rules, signerOf(proof.aggregateProposal, request, rules, range))
    }
    return { claim, request, proof, rules }
  }

  async function submit(proposal: ProvenClaim, rules: GameRules): Promise<ProposerOutcome> {
    const { claim } = proposal
    const { block, root } = claim
    submissions += 1
    try {
      // The contract takes an origin only when its hash can be read from a later block.
      await wallet.untilAbove(proposal.proof.aggregateProposal.l1OriginNumber)
      const { hash } = await wallet.send(createCall({ ...proposal, rules }))
      const game = await findGame(l1, rules, claim)
      logger.info({ block: Number(block), root, game, transaction: hash }, 'game created')
      reset()
      tip = game && { parent: game, block, root }
      return { kind: 'created', idle: false, block, root, game: game!, transaction: hash }
    } catch (error) {
      if (error instanceof L1Reverted && error.revert === 'GameAlreadyExists') {
        // Somebody else proposed the same: as good as our own.
        logger.info({ block: Number(block), root }, 'game exists already')
        reset()
        return { kind: 'exists', idle: false, block, root }
      }
      if (error instanceof L1Reverted && error.revert === 'L2TimestampInFuture') {
        // A sequencer may be ahead of L1; the proof stays good.
        submissions -= 1
        return { kind: 'early', idle: true, block, reason: error.message }
      }
      if (submissions >= MAX_SUBMISSIONS) reset()
      throw error
    }
  }

  return {
    async round() {
      const rules = await readRules()
      const from = await recover(rules)
      const obstacle =
        (await teeObstacle(l1, rules, wallet.address)) ??
        (await parentProblem(l1, rules, from.parent))
      if (obstacle) {
        reset()
        logger.warn({ reason: obstacle }, 'cannot propose')
        return { kind: 'blocked', idle: true, reason: obstacle }
      }

      const head = await rollup.head(finality)
      const onGame = (game: Tip) => {
        tip = game
      }
      const claim = await walk(from, { l1, rules, rollup, head, onGame })
      if (!claim) {
        const { blockInterval } = await intervalsFrom(l1, rules, tip!.block)
        const block = tip!.block + blockInterval
        return { kind: 'waiting', idle: true, block, head }
      }

      if (proven?.claim.extraData !== claim.extraData) proven = await prove(claim, rules)
      const reason = await staleness(proven, { l1, rollup, rules })
      if (reason) {
        reset()
        logger.warn({ block: Number(claim.block), reason }, 'proof thrown away')
        return { kind: 'stale', idle: true, block: claim.block, reason }
      }
      if (dryRun) {
        const { block, root, extraData } = claim
        logger.info({ block: Number(block), root }, 'dry run: game not created')
        return { kind: 'dry-run', idle: true, block, root, extraData }
      }
      return await submit(proven, rules)
    },
  }
}
