import { concatHex, numberToHex, type PublicClient } from 'viem'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import type { ProofRequest, Proposal, TeeProof } from '#protocol/proof/types'
import type { Hash, Hex } from '#protocol/types/bytes'
import { type GameRules, intervalsFrom } from '../game-rules.ts'
import { l1Signature } from '../l1-signature.ts'
import { parentProblem } from '../read-game.ts'
import type { RollupClient } from '../rollup-client.ts'
import { type Claim, claimAfter } from './claim.ts'

/** A claim with its proof, ready to be submitted. */
export interface ProvenClaim {
  claim: Claim
  request: ProofRequest
  proof: TeeProof
  /** The rules it was made under. */
  rules: GameRules
}

/** The call that creates the game; its sender has to be the request's proposer. */
export function createCall({ claim, proof, rules }: Omit<ProvenClaim, 'request'>) {
  const { aggregateProposal } = proof
  return {
    address: rules.factory,
    abi: disputeGameFactoryAbi,
    functionName: 'createWithInitData',
    args: [rules.gameType, claim.root, claim.extraData, teeInitData(aggregateProposal)],
    value: rules.initBond,
  } as const
}

/** Proof type 0 (TEE) ‖ L1 origin hash ‖ L1 origin number ‖ signature: 130 bytes. */
export function teeInitData({ l1OriginHash, l1OriginNumber, signature }: Proposal): Hex {
  return concatHex([
    '0x00',
    l1OriginHash,
    numberToHex(l1OriginNumber, { size: 32 }),
    l1Signature(signature),
  ])
}

/**
 * Why a proof that was good when it was asked for should not be submitted any more; undefined when
 * it still should (PIPE-23).
 */
export async function staleness(
  proven: ProvenClaim,
  options: { l1: PublicClient; rollup: RollupClient; rules: GameRules },
): Promise<string | undefined> {
  const { claim, request, proof } = proven
  const { l1, rollup, rules } = options
  if (rules.implementation !== proven.rules.implementation) return 'the game implementation changed'

  const intervals = await intervalsFrom(l1, rules, claim.tip.block)
  const [origin, current, problem] = await Promise.all([
    l1.getBlock({ blockNumber: proof.aggregateProposal.l1OriginNumber }),
    claimAfter(claim.tip, intervals, rollup),
    parentProblem(l1, rules, claim.tip.parent),
  ])
  if (problem) return problem
  if (origin.hash !== request.l1Head) return 'the L1 origin was reorganised away'
  if (!current || !sameRoots(current.roots, claim.roots))
    return 'the rollup node has other output roots now'
  return sameRoots(sampledRoots(proof, intervals), claim.roots)
    ? undefined
    : 'the proof has other intermediate roots'
}

/** The intermediate roots in the per-block proposals. */
function sampledRoots(
  { proposals }: TeeProof,
  { intermediateInterval }: Pick<GameRules, 'intermediateInterval'>,
): Hash[] {
  const every = Number(intermediateInterval)
  return proposals.filter((_, index) => (index + 1) % every === 0).map((each) => each.outputRoot)
}

function sameRoots(some: readonly Hash[], others: readonly Hash[]): boolean {
  return some.length === others.length && some.every((root, index) => root === others[index])
}
