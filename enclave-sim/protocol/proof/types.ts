import type { Address, Hash, Hex } from '../types/bytes.ts'

/** Input of prover_prove (PRV-REQ-*). */
export interface ProofRequest {
  l1Head: Hash
  /** undefined: whatever the header of `l1Head` says. */
  l1HeadNumber: bigint | undefined
  agreedL2HeadHash: Hash
  agreedL2OutputRoot: Hash
  claimedL2OutputRoot: Hash
  claimedL2BlockNumber: bigint
  proposer: Address
  intermediateBlockInterval: bigint
  imageHash: Hash
  /**
   * Where journals name a schedule: the block by whose time it is read, of a dispute the last one of the game.
   * undefined: the claimed one.
   */
  scheduleL2BlockNumber?: bigint | undefined
}

/** One signed claim (PRV-PROP-*). */
export interface Proposal {
  outputRoot: Hash
  /** r ‖ s ‖ v with v 0 or 1: 65 bytes. */
  signature: Hex
  l1OriginHash: Hash
  l1OriginNumber: bigint
  l2BlockNumber: bigint
  prevOutputRoot: Hash
  configHash: Hash
  /** Where journals name a schedule. */
  scheduleId?: Hash | undefined
}

/** ProofResult, variant Tee (PRV-RES-*). */
export interface TeeProof {
  aggregateProposal: Proposal
  proposals: Proposal[]
}

/** What re-execution says of one block, before anything is signed. */
export interface ExecutedBlock {
  number: bigint
  hash: Hash
  outputRoot: Hash
}

/** The boot values of a proof and what the program made of them. */
export interface ProgramResult {
  chainId: bigint
  configHash: Hash
  l1Head: Hash
  l1HeadNumber: bigint
  agreedOutputRoot: Hash
  agreedBlockNumber: bigint
  claimedOutputRoot: Hash
  claimedBlockNumber: bigint
  proposer: Address
  intermediateBlockInterval: bigint
  /** Where journals name a schedule. */
  scheduleId?: Hash | undefined
  /** In block order, first is agreed + 1. */
  blocks: ExecutedBlock[]
}
