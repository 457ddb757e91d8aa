import { concatHex, type PublicClient } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { ProofRequest } from '#protocol/proof/types'
import type { Hash } from '#protocol/types/bytes'
import { checkProof } from '../check-proof.ts'
import { type GameConstants, scheduleIdsOf } from '../game-rules.ts'
import { l1Signature } from '../l1-signature.ts'
import type { L1Wallet } from '../l1-wallet.ts'
import type { ProverClient } from '../prover-client.ts'
import { type Game, type GameState, gameStatus, readGameState } from '../read-game.ts'
import type { BadRoot } from './judge-game.ts'

export interface DisputeOptions {
  l1: PublicClient
  prover: ProverClient
  wallet: L1Wallet
}

/**
 * Has the interval with the wrong root proven and nullifies the game's TEE proof by it. The request
 * covers exactly one interval, from the L1 block the game was created on: the contract's journal has
 * one intermediate root and that origin.
 * @returns the transaction; undefined when the game was settled while the proof was made (PIPE-23)
 * @throws DisputeImpossible, ProofUnexpected, L1Reverted, …
 */
export async function dispute(
  game: Game,
  { index, agreed, truth }: BadRoot,
  rules: GameConstants,
  { l1, prover, wallet }: DisputeOptions,
): Promise<Hash | undefined> {
  // For one block an enclave signs no intermediate root (OPEN-53), the contract wants one.
  if (rules.intermediateInterval === 1n) throw new DisputeImpossible()
  const origin = await l1.getBlock({ blockHash: game.l1Head })
  const request: ProofRequest = {
    l1Head: game.l1Head,
    l1HeadNumber: origin.number,
    agreedL2HeadHash: agreed.blockHash,
    agreedL2OutputRoot: agreed.outputRoot,
    claimedL2OutputRoot: truth.outputRoot,
    claimedL2BlockNumber: truth.number,
    proposer: wallet.address,
    intermediateBlockInterval: rules.intermediateInterval,
    imageHash: rules.teeImageHash,
    // Every proof of a game names the schedule of its end.
    ...(rules.protocolVersions && { scheduleL2BlockNumber: game.l2Block }),
  }
  const { aggregateProposal } = await prover.prove(request)
  const scheduleIds = await scheduleIdsOf(l1, rules, game.l2Block)
  checkProof(aggregateProposal, request, { ...rules, scheduleIds })
  if (!canNullify(await readGameState(l1, game.address))) return undefined

  const { hash } = await wallet.send({
    address: game.address,
    abi: aggregateVerifierAbi,
    functionName: 'nullify',
    // Proof type 0 (TEE) ‖ signature: 66 bytes.
    args: [
      concatHex(['0x00', l1Signature(aggregateProposal.signature)]),
      BigInt(index),
      truth.outputRoot,
    ],
  })
  return hash
}

/** Whether a TEE proof of another root counts: not beside a ZK challenge. */
export function canNullify({ status, hasTeeProof, countered }: GameState): boolean {
  return status === gameStatus.inProgress && hasTeeProof && countered === undefined
}

export class DisputeImpossible extends RollbedError {
  constructor() {
    super('DISPUTE_IMPOSSIBLE', 'Games with an intermediate root per block cannot be disputed.', {
      hint: 'Deploy the game with an INTERMEDIATE_BLOCK_INTERVAL of at least 2.',
    })
  }
}
