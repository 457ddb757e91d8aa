import { createPublicClient, custom, type Hex, type PublicClient } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import type { CaseContext } from '../conformance-case.ts'

/** Contracts of L1, as they name each other, with the rules of the game that is in force. */
export interface VerifierContracts {
  verifier: Hex
  registry: Hex
  /** May change who is registered. */
  owner: Hex
  factory: Hex
  anchors: Hex
  gameType: number
  /** Of the game that is in force. */
  imageHash: Hex
  blockInterval: number
  intermediateBlockInterval: number
  /** Wei. */
  bond: bigint
}

/** L1 as viem reads contracts; every request is recorded. */
export function l1Reader({ l1 }: CaseContext): PublicClient {
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    l1.result(method, params)
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
}

/** Follows the names that begin at `--tee-verifier`. @throws ContractFunctionExecutionError */
export async function readVerifierContracts(t: CaseContext): Promise<VerifierContracts> {
  const { readContract } = l1Reader(t)
  const verifier = t.targets.teeVerifier as Hex
  const named = { address: verifier, abi: teeVerifierAbi } as const
  const registry = await readContract({ ...named, functionName: 'TEE_PROVER_REGISTRY' })
  const registered = { address: registry, abi: teeProverRegistryAbi } as const
  const [owner, factory, gameType] = await Promise.all([
    readContract({ ...registered, functionName: 'owner' }),
    readContract({ ...registered, functionName: 'DISPUTE_GAME_FACTORY' }),
    readContract({ ...registered, functionName: 'gameType' }),
  ])
  const made = { address: factory, abi: disputeGameFactoryAbi, args: [gameType] } as const
  const [implementation, bond] = await Promise.all([
    readContract({ ...made, functionName: 'gameImpls' }),
    readContract({ ...made, functionName: 'initBonds' }),
  ])
  const game = { address: implementation, abi: aggregateVerifierAbi } as const
  const [imageHash, anchors, blockInterval, intermediateBlockInterval] = await Promise.all([
    readContract({ ...game, functionName: 'TEE_IMAGE_HASH' }),
    readContract({ ...game, functionName: 'anchorStateRegistry' }),
    readContract({ ...game, functionName: 'BLOCK_INTERVAL' }),
    readContract({ ...game, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' }),
  ])
  return {
    verifier,
    registry,
    owner,
    factory,
    anchors,
    gameType,
    imageHash,
    blockInterval: Number(blockInterval),
    intermediateBlockInterval: Number(intermediateBlockInterval),
    bond,
  }
}
