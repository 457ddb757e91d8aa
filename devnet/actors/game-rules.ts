import { getAddress, type PublicClient, zeroAddress } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash } from '#protocol/types/bytes'

/** What one implementation of the game asks of a proposal, and whom it calls. */
export interface GameConstants {
  anchorStateRegistry: Address
  delayedWeth: Address
  teeVerifier: Address
  proverRegistry: Address
  /** L2 blocks from one game to the next, and between intermediate roots. */
  blockInterval: bigint
  intermediateInterval: bigint
  /** keccak256 of the PCR0 whose signatures count. */
  teeImageHash: Hash
  configHash: Hash
}

/** What holds for new games of a type. */
export interface GameRules extends GameConstants {
  gameType: number
  factory: Address
  implementation: Address
  /** Wei. */
  initBond: bigint
}

/**
 * Reads the rules of a game type from its factory; all other addresses follow from there. What is
 * immutable is read once per implementation.
 * @throws NoGameImplementation
 */
export function gameRules(
  l1: PublicClient,
  factory: Address,
  gameType: number,
): () => Promise<GameRules> {
  let known: GameRules | undefined
  const factoryView = { address: factory, abi: disputeGameFactoryAbi, args: [gameType] } as const

  return async () => {
    const [implementation, initBond] = await Promise.all([
      l1.readContract({ ...factoryView, functionName: 'gameImpls' }).then(lower),
      l1.readContract({ ...factoryView, functionName: 'initBonds' }),
    ])
    if (implementation === zeroAddress) throw new NoGameImplementation(factory, gameType)
    if (known?.implementation !== implementation) {
      const constants = await readGameConstants(l1, implementation)
      known = { gameType, factory, implementation, initBond, ...constants }
    }
    known = { ...known, initBond }
    return known
  }
}

/** Of an implementation, or of a game: an older one keeps those it was created with. */
export async function readGameConstants(
  l1: PublicClient,
  address: Address,
): Promise<GameConstants> {
  const game = { address, abi: aggregateVerifierAbi } as const
  const [anchorStateRegistry, delayedWeth, teeVerifier, blockInterval] = await Promise.all([
    l1.readContract({ ...game, functionName: 'anchorStateRegistry' }).then(lower),
    l1.readContract({ ...game, functionName: 'DELAYED_WETH' }).then(lower),
    l1.readContract({ ...game, functionName: 'TEE_VERIFIER' }).then(lower),
    l1.readContract({ ...game, functionName: 'BLOCK_INTERVAL' }),
  ])
  const [intermediateInterval, teeImageHash, configHash, proverRegistry] = await Promise.all([
    l1.readContract({ ...game, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' }),
    l1.readContract({ ...game, functionName: 'TEE_IMAGE_HASH' }),
    l1.readContract({ ...game, functionName: 'CONFIG_HASH' }),
    l1
      .readContract({
        address: teeVerifier,
        abi: teeVerifierAbi,
        functionName: 'TEE_PROVER_REGISTRY',
      })
      .then(lower),
  ])
  return {
    anchorStateRegistry,
    delayedWeth,
    teeVerifier,
    proverRegistry,
    blockInterval,
    intermediateInterval,
    teeImageHash,
    configHash,
  }
}

/** viem answers checksummed addresses; ours are lower case. */
export function lower(address: Address): Address {
  return getAddress(address).toLowerCase() as Address
}

export class NoGameImplementation extends RollbedError {
  constructor(factory: Address, gameType: number) {
    super('NO_GAME_IMPLEMENTATION', `Factory ${factory} has no game of type ${gameType}.`, {
      hint: 'Check the factory address, the game type and the L1 URL.',
    })
  }
}
