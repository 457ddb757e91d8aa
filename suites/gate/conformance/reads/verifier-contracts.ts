import {
  createPublicClient,
  custom,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type PublicClient,
} from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
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
  game: Hex
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
  const [imageHash, anchors] = await Promise.all([
    readContract({ ...game, functionName: 'TEE_IMAGE_HASH' }),
    readContract({ ...game, functionName: 'anchorStateRegistry' }),
  ])
  return {
    verifier,
    registry,
    owner,
    factory,
    anchors,
    gameType,
    imageHash,
    game: implementation,
    bond,
  }
}

/** Blocks of a game, and from one of its intermediate roots to the next. */
export interface GameIntervals {
  blockInterval: number
  intermediateBlockInterval: number
}

/** Those of a game that starts from a block: by its number on today's chain, else the same for all. */
export async function intervalsFrom(
  t: CaseContext,
  { game }: VerifierContracts,
  start: number,
): Promise<GameIntervals> {
  const byStart = await readIntervals(t, game, start)
  if (byStart) return byStart
  const { readContract } = l1Reader(t)
  const named = { address: game, abi: aggregateVerifierAbi } as const
  const [blockInterval, intermediateBlockInterval] = await Promise.all([
    readContract({ ...named, functionName: 'BLOCK_INTERVAL' }),
    readContract({ ...named, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' }),
  ])
  return {
    blockInterval: Number(blockInterval),
    intermediateBlockInterval: Number(intermediateBlockInterval),
  }
}

/** What a game says of its intervals from a block on; undefined where it does not tell them by block. */
export async function readIntervals(
  t: CaseContext,
  game: Hex,
  start: number,
): Promise<GameIntervals | undefined> {
  const data = encodeFunctionData({
    abi: scheduledVerifierAbi,
    functionName: 'intervalsForStartingBlock',
    args: [BigInt(start)],
  })
  const { body } = await t.l1.call('eth_call', [{ to: game, data }, 'latest'])
  // A contract that does not know the function reverts, or returns nothing.
  if (typeof body.result !== 'string' || body.result.length !== 2 + 2 * 64) return undefined
  const [blockInterval, intermediateBlockInterval] = decodeFunctionResult({
    abi: scheduledVerifierAbi,
    functionName: 'intervalsForStartingBlock',
    data: body.result as Hex,
  })
  return {
    blockInterval: Number(blockInterval),
    intermediateBlockInterval: Number(intermediateBlockInterval),
  }
}
