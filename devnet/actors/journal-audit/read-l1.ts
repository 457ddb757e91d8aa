import { type PublicClient, parseEventLogs, type TransactionReceipt, zeroAddress } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { protocolVersionsAbi } from '#fixtures/contracts/ProtocolVersions.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { blockSeconds } from '#protocol/upgrades/block-times'
import { JOURNAL_ERAS } from '#protocol/upgrades/upgrade-table'
import {
  type GameConstants,
  intervalsFrom,
  journalEraOf,
  NoGameImplementation,
  readGameConstants,
  readSchedule,
  scheduleIdOfGame,
} from '../game-rules.ts'
import { lower } from '../lower.ts'
import { readGame } from '../read-game.ts'
import {
  type NamedSchedule,
  nameOfSchedule,
  schedulesAt,
  schedulesUntil,
} from './known-schedules.ts'
import { type GameCreation, readCalldata, type Submission } from './read-calldata.ts'
import type { ChainFacts, L1HeadNumbers, SignedClaim } from './signed-claim.ts'
import type { SubmissionContext, SubmittedGame } from './submitted-claim.ts'

export type L1Facts = Required<Pick<SubmissionContext, 'chain'>> & Pick<SubmissionContext, 'game'>

/** A submission found in an L1 transaction. */
export interface SubmittedCall {
  submission: Submission
  /** The contract that was called. */
  to: Address
  sender?: Address
  /** Of a transaction that succeeded. */
  receipt?: TransactionReceipt
}

/** L1 does not know the transaction. */
export class NoSuchTransaction extends RollbedError {
  constructor(hash: Hash) {
    super('NO_SUCH_TRANSACTION', `L1 knows no transaction ${hash}.`, {
      hint: 'Check the hash and the --l1 URL.',
    })
  }
}

/** @throws NoSuchTransaction, CalldataInvalid */
export async function readTransaction(l1: PublicClient, hash: Hash): Promise<SubmittedCall> {
  const transaction = await l1.getTransaction({ hash }).catch((error: Error) => {
    if (error.name === 'TransactionNotFoundError') throw new NoSuchTransaction(hash)
    throw error
  })
  const receipt = await l1.getTransactionReceipt({ hash }).catch(() => undefined)
  return {
    submission: readCalldata(transaction.input),
    to: lower(transaction.to ?? zeroAddress),
    sender: lower(transaction.from),
    ...(receipt?.status === 'success' && { receipt }),
  }
}

/** The game and the signers that the contracts judge a submission by, as they are now. */
export async function readL1Facts(l1: PublicClient, call: SubmittedCall): Promise<L1Facts> {
  const { submission, to, sender } = call
  if (submission.kind === 'verification') {
    const registry = await l1.readContract({
      address: to,
      abi: teeVerifierAbi,
      functionName: 'TEE_PROVER_REGISTRY',
    })
    return { chain: await chainFacts(l1, registry, undefined) }
  }
  const address = submission.kind === 'game' ? createdGame(call) : to
  const { game, constants } = address
    ? await existingGame(l1, address)
    : await plannedGame(l1, to, submission as GameCreation)
  return { game, chain: await chainFacts(l1, constants.proverRegistry, sender) }
}

/** What journals of a chain may have named until now, by its ProtocolVersions. */
export async function readSchedules(l1: PublicClient, address: Address): Promise<NamedSchedule[]> {
  const versions = { address, abi: protocolVersionsAbi } as const
  const [times, { timestamp }] = await Promise.all([
    l1.readContract({ ...versions, functionName: 'getSchedule' }),
    l1.getBlock(),
  ])
  return schedulesUntil(times, timestamp)
}

/** What numbers the L1 heads of claims have. */
export async function readHeadNumbers(
  l1: PublicClient,
  claims: readonly SignedClaim[],
): Promise<L1HeadNumbers> {
  const withHead = claims.filter(({ subject, assumed }) => {
    return subject !== 'digest' && !assumed.includes('l1OriginHash')
  })
  const hashes = new Set(withHead.map(({ journal }) => journal.l1OriginHash))
  const numbers = [...hashes].map(async (blockHash): Promise<[Hash, bigint | undefined]> => {
    const block = await l1.getBlock({ blockHash }).catch((error: Error) => {
      if (error.name === 'BlockNotFoundError') return undefined
      throw error
    })
    return [blockHash, block?.number]
  })
  return new Map(await Promise.all(numbers))
}

function createdGame({ receipt }: SubmittedCall): Address | undefined {
  const [created] = parseEventLogs({
    abi: disputeGameFactoryAbi,
    eventName: 'DisputeGameCreated',
    logs: receipt?.logs ?? [],
  })
  return created?.args.disputeProxy
}

async function existingGame(l1: PublicClient, address: Address) {
  const [game, constants, id] = await Promise.all([
    readGame(l1, address),
    readGameConstants(l1, address),
    scheduleIdOfGame(l1, address),
  ])
  const intervals = await intervalsFrom(l1, constants, game.startBlock)
  const named = await schedulesOf(l1, constants, game.l2Block)
  const schedule = id && {
    id,
    says: nameOfSchedule(id, named) ?? 'of a schedule that L1 has no more',
    others: named.filter((each) => each.id !== id),
  }
  const found = { ...constants, ...intervals, ...game, ...(schedule && { schedule }) }
  return { game: found satisfies SubmittedGame, constants }
}

/** What journals over blocks up to this one may name, the newest era first. */
async function schedulesOf(
  l1: PublicClient,
  constants: GameConstants,
  endBlock: bigint,
): Promise<NamedSchedule[]> {
  const schedule = await readSchedule(l1, constants)
  return schedule ? schedulesAt(schedule.times, blockSeconds(schedule.blocks, endBlock)) : []
}

/** A game that was not created: from its implementation and its parent. */
async function plannedGame(
  l1: PublicClient,
  factory: Address,
  { gameType, parent, l2Block }: GameCreation,
): Promise<{ game: SubmittedGame; constants: GameConstants }> {
  const implementation = await l1.readContract({
    address: factory,
    abi: disputeGameFactoryAbi,
    functionName: 'gameImpls',
    args: [gameType],
  })
  if (implementation === zeroAddress) throw new NoGameImplementation(factory, gameType)
  const constants = await readGameConstants(l1, implementation)
  const start = await startOf(l1, parent, constants)
  const [intervals, era, named] = await Promise.all([
    intervalsFrom(l1, constants, start.startBlock),
    journalEraOf(l1, constants),
    schedulesOf(l1, constants, l2Block),
  ])
  const wanted = era && JOURNAL_ERAS[era].hasAnnounced ? named.at(-1) : named[0]
  const others = named.filter((each) => each !== wanted)
  const schedule = wanted && { ...wanted, others }
  return {
    game: { ...constants, ...intervals, ...start, ...(schedule && { schedule }) },
    constants,
  }
}

async function startOf(l1: PublicClient, parent: Address, constants: GameConstants) {
  if (lower(parent) === constants.anchorStateRegistry) {
    const anchor = await l1.readContract({
      address: constants.anchorStateRegistry,
      abi: anchorStateRegistryAbi,
      functionName: 'getStartingAnchorRoot',
    })
    return { startRoot: anchor.root, startBlock: anchor.l2SequenceNumber }
  }
  const game = { address: parent, abi: aggregateVerifierAbi } as const
  const [startRoot, startBlock] = await Promise.all([
    l1.readContract({ ...game, functionName: 'rootClaim' }),
    l1.readContract({ ...game, functionName: 'l2SequenceNumber' }),
  ])
  return { startRoot, startBlock }
}

async function chainFacts(
  l1: PublicClient,
  address: Address,
  sender: Address | undefined,
): Promise<ChainFacts> {
  const registry = { address, abi: teeProverRegistryAbi } as const
  const signers = await l1.readContract({ ...registry, functionName: 'getRegisteredSigners' })
  const hashes = await Promise.all(
    signers.map((signer) =>
      l1.readContract({ ...registry, functionName: 'signerImageHash', args: [signer] }),
    ),
  )
  const registered = new Map(
    signers.map((signer, index): [Hex, Hash] => [lower(signer), hashes[index]!]),
  )
  return { registered, ...(sender && { sender }) }
}
