import { type PublicClient, zeroAddress } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { protocolVersionsAbi } from '#fixtures/contracts/ProtocolVersions.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { activatedScheduleId, scheduleId } from '#protocol/derivation/schedule-id'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash } from '#protocol/types/bytes'
import type { JournalEra } from '#protocol/types/journal-era'
import { type BlockTimes, blockSeconds } from '#protocol/upgrades/block-times'
import { JOURNAL_ERA_NAMES, JOURNAL_ERAS, UPGRADES } from '#protocol/upgrades/upgrade-table'
import { lower } from './lower.ts'
import { readIfThere } from './read-if-there.ts'

/** What one implementation of the game asks of a proposal, and whom it calls. */
export interface GameConstants {
  /** What was read: a game, or what games are made of. */
  readFrom: Address
  /** Where games know upgrades of L2: their schedule on L1. */
  protocolVersions: Address | undefined
  anchorStateRegistry: Address
  delayedWeth: Address
  teeVerifier: Address
  proverRegistry: Address
  /**
   * L2 blocks from one game to the next, and between intermediate roots; with a schedule those until Denim:
   * ask `intervalsFrom`.
   */
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
    readInterval(l1, address, 'BLOCK_INTERVAL'),
  ])
  const [intermediateInterval, teeImageHash, configHash, proverRegistry] = await Promise.all([
    readInterval(l1, address, 'INTERMEDIATE_BLOCK_INTERVAL'),
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
  const versions = l1.readContract({ ...scheduled(address), functionName: 'PROTOCOL_VERSIONS' })
  return {
    readFrom: address,
    protocolVersions: await readIfThere(versions.then(lower), undefined),
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

/** Since Denim Base's games have it by another name, for they have a fast one, too. */
async function readInterval(
  l1: PublicClient,
  address: Address,
  name: 'BLOCK_INTERVAL' | 'INTERMEDIATE_BLOCK_INTERVAL',
): Promise<bigint> {
  const game = scheduled(address)
  const only = await readIfThere(l1.readContract({ ...game, functionName: name }), undefined)
  return only ?? (await l1.readContract({ ...game, functionName: `SLOW_${name}` }))
}

/** L2 blocks of a game that starts from a block, and between its intermediate roots. */
export async function intervalsFrom(
  l1: PublicClient,
  rules: GameConstants,
  startBlock: bigint,
): Promise<{ blockInterval: bigint; intermediateInterval: bigint }> {
  if (!rules.protocolVersions) return rules
  const [blockInterval, intermediateInterval] = await l1.readContract({
    ...scheduled(rules.readFrom),
    functionName: 'intervalsForStartingBlock',
    args: [startBlock],
  })
  return { blockInterval, intermediateInterval }
}

/**
 * The ids that a journal may end with, as L1 reckons them: of what holds at the last block of a game, and of
 * the whole schedule. None where games know of no upgrades.
 * @param endBlock of the game
 */
export async function scheduleIdsOf(
  l1: PublicClient,
  rules: GameConstants,
  endBlock: bigint,
): Promise<readonly Hash[]> {
  const schedule = await readSchedule(l1, rules)
  if (!schedule) return []
  const { times, blocks } = schedule
  return [activatedScheduleId(times, blockSeconds(blocks, endBlock)), scheduleId(times)]
}

/** What journals of these games say of the schedule; undefined where games know of no upgrades. */
export async function journalEraOf(
  l1: PublicClient,
  { protocolVersions, readFrom }: GameConstants,
): Promise<JournalEra | undefined> {
  if (!protocolVersions) return undefined
  const version = await l1.readContract({ ...scheduled(readFrom), functionName: 'version' })
  return JOURNAL_ERA_NAMES.find((era) => JOURNAL_ERAS[era].gameVersion === version)
}

/** What every proof of a game commits to; undefined of a game that knows of no upgrades. */
export async function scheduleIdOfGame(l1: PublicClient, game: Address): Promise<Hash | undefined> {
  const id = l1.readContract({ ...scheduled(game), functionName: 'scheduleId' })
  return await readIfThere(id, undefined)
}

/** The schedule of L2's upgrades as games on L1 know it. */
export interface L1Schedule {
  /** Seconds on L2 by place in ProtocolVersions; 0: not scheduled. */
  times: readonly bigint[]
  /** What the seconds of L2's blocks follow from. */
  blocks: BlockTimes
}

/** Undefined where games know of no upgrades. */
export async function readSchedule(
  l1: PublicClient,
  { protocolVersions, readFrom }: GameConstants,
): Promise<L1Schedule | undefined> {
  if (!protocolVersions) return undefined
  const versions = { address: protocolVersions, abi: protocolVersionsAbi } as const
  const game = scheduled(readFrom)
  const [times, number, l2Time, blockTime] = await Promise.all([
    l1.readContract({ ...versions, functionName: 'getSchedule' }),
    l1.readContract({ ...game, functionName: 'L2_GENESIS_BLOCK_NUMBER' }),
    l1.readContract({ ...game, functionName: 'L2_GENESIS_TIMESTAMP' }),
    l1.readContract({ ...game, functionName: 'L2_BLOCK_TIME' }),
  ])
  const denim = times[UPGRADES.denim.place]
  const blocks = {
    genesis: { l2: { number: Number(number) }, l2Time: Number(l2Time) },
    blockTime: Number(blockTime),
    upgrades: denim ? { denim: Number(denim) } : {},
  }
  return { times, blocks }
}

const scheduled = (address: Address) => ({ address, abi: scheduledVerifierAbi }) as const

export class NoGameImplementation extends RollbedError {
  constructor(factory: Address, gameType: number) {
    super('NO_GAME_IMPLEMENTATION', `Factory ${factory} has no game of type ${gameType}.`, {
      hint: 'Check the factory address, the game type and the L1 URL.',
    })
  }
}
