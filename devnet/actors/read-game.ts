import { type PublicClient, slice, zeroAddress } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { GameConstants } from './game-rules.ts'
import { lower } from './lower.ts'

export const gameStatus = { inProgress: 0, challengerWins: 1, defenderWins: 2 } as const

/** What a game was created with; it never changes. */
export interface Game {
  address: Address
  creator: Address
  /** The anchor state registry for a first game. */
  parent: Address
  /** L1 block hash that every later proof is made from. */
  l1Head: Hash
  startBlock: bigint
  startRoot: Hash
  l2Block: bigint
  rootClaim: Hash
  /** One every intermediate interval; the last is the claim. */
  roots: Hash[]
}

/** What became of it. */
export interface GameState {
  status: number
  hasTeeProof: boolean
  hasZkProof: boolean
  /** Index of the intermediate root that a ZK challenge countered. */
  countered: number | undefined
}

const at = (address: Address) => ({ address, abi: aggregateVerifierAbi }) as const

export async function readGame(l1: PublicClient, address: Address): Promise<Game> {
  const game = at(address)
  const [creator, parent, l1Head, [startRoot, startBlock], l2Block, rootClaim, roots] =
    await Promise.all([
      l1.readContract({ ...game, functionName: 'gameCreator' }).then(lower),
      l1.readContract({ ...game, functionName: 'parentAddress' }).then(lower),
      l1.readContract({ ...game, functionName: 'l1Head' }),
      l1.readContract({ ...game, functionName: 'startingOutputRoot' }),
      l1.readContract({ ...game, functionName: 'l2SequenceNumber' }),
      l1.readContract({ ...game, functionName: 'rootClaim' }),
      l1.readContract({ ...game, functionName: 'intermediateOutputRoots' }).then(words),
    ])
  return { address, creator, parent, l1Head, startBlock, startRoot, l2Block, rootClaim, roots }
}

export async function readGameState(l1: PublicClient, address: Address): Promise<GameState> {
  const game = at(address)
  const [status, teeProver, zkProver, countered] = await Promise.all([
    l1.readContract({ ...game, functionName: 'status' }),
    l1.readContract({ ...game, functionName: 'teeProver' }),
    l1.readContract({ ...game, functionName: 'zkProver' }),
    l1.readContract({ ...game, functionName: 'counteredByIntermediateRootIndexPlusOne' }),
  ])
  return {
    status,
    hasTeeProof: teeProver !== zeroAddress,
    hasZkProof: zkProver !== zeroAddress,
    countered: countered === 0n ? undefined : Number(countered - 1n),
  }
}

/** Whether a reorganization of L1 took a game away that was there. Not known is no; never rejects. */
export async function isGone(l1: PublicClient, address: Address): Promise<boolean> {
  return await l1.getCode({ address }).then(
    (code) => code === undefined,
    () => false,
  )
}

/** Why a game can be nobody's parent any more; undefined when it can. */
export async function parentProblem(
  l1: PublicClient,
  { anchorStateRegistry }: GameConstants,
  parent: Address,
): Promise<string | undefined> {
  if (parent === anchorStateRegistry) return undefined
  const registry = {
    address: anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    args: [parent],
  } as const
  const [status, isBlacklisted, isRetired] = await Promise.all([
    l1.readContract({ ...at(parent), functionName: 'status' }),
    l1.readContract({ ...registry, functionName: 'isGameBlacklisted' }),
    l1.readContract({ ...registry, functionName: 'isGameRetired' }),
  ])
  if (status === gameStatus.challengerWins) return `parent game ${parent} lost`
  if (isBlacklisted) return `parent game ${parent} is blacklisted`
  return isRetired ? `parent game ${parent} is retired` : undefined
}

function words(packed: Hex): Hash[] {
  const count = (packed.length - 2) / 64
  return Array.from({ length: count }, (_, index) => slice(packed, 32 * index, 32 * (index + 1)))
}
