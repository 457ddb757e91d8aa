import type { Journal } from '#protocol/journal/journal'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { Submission } from './read-calldata.ts'
import { submittedReadings } from './roots-readings.ts'
import {
  type ChainFacts,
  type ClaimedSchedule,
  type Known,
  type SignedClaim,
  ZERO_ADDRESS,
  ZERO_HASH,
} from './signed-claim.ts'

/** The game that a submission is for, as L1 has it. */
export interface SubmittedGame {
  startBlock: bigint
  startRoot: Hash
  configHash: Hash
  teeImageHash: Hash
  intermediateInterval: bigint
  /** Absent for a game that was not created. */
  l1Head?: Hash
  l2Block?: bigint
  roots?: Hash[]
  /** What its proofs have to name; absent where it knows of no upgrades. */
  schedule?: ClaimedSchedule
}

export interface SubmissionContext {
  known: Known
  game?: SubmittedGame
  chain?: ChainFacts
}

/**
 * The claim that the contracts verify: fields of the calldata, of the game on L1, then what the user
 * told; zeros for the rest.
 */
export function submittedClaim(submission: Submission, context: SubmissionContext): SignedClaim {
  const { known, game, chain } = context
  if (submission.kind === 'verification') return verificationClaim(submission, chain)
  const submitted = submittedFields(submission, context)
  const expected: Partial<Journal> = {
    proposer: chain?.sender ?? known.proposer,
    prevOutputRoot: known.prevOutputRoot ?? game?.startRoot,
    startingL2Block: known.startingL2Block ?? game?.startBlock,
    l1OriginHash: known.l1OriginHash ?? game?.l1Head,
    configHash: known.configHash ?? game?.configHash,
    teeImageHash: known.teeImageHash ?? game?.teeImageHash,
    scheduleId: known.scheduleId ?? game?.schedule?.id,
    ...submitted,
  }
  const interval = known.interval ?? game?.intermediateInterval
  const defined = Object.entries(expected).filter(([, value]) => value !== undefined)
  const journal: Journal = { ...NOTHING, ...Object.fromEntries(defined) }
  return {
    name: submission.kind === 'game' ? 'initData' : 'proof',
    subject: submission.kind === 'interval' ? 'interval' : 'game',
    journal,
    signature: submission.signature,
    otherRoots: submittedReadings(journal, interval),
    ...(interval && { interval }),
    ...(submission.kind === 'game' && { l1HeadNumber: submission.l1OriginNumber }),
    assumed: (Object.keys(NOTHING) as (keyof Journal)[]).filter(
      (field) => expected[field] === undefined,
    ),
    ...(game?.schedule && { schedule: game.schedule }),
    ...(chain && { chain }),
  }
}

const NOTHING: Journal = {
  proposer: ZERO_ADDRESS,
  l1OriginHash: ZERO_HASH,
  prevOutputRoot: ZERO_HASH,
  startingL2Block: 0n,
  outputRoot: ZERO_HASH,
  endingL2Block: 0n,
  intermediateRoots: [],
  configHash: ZERO_HASH,
  teeImageHash: ZERO_HASH,
}

/** What the submission itself says, alone or within its game. */
function submittedFields(
  submission: Exclude<Submission, { kind: 'verification' }>,
  { known, game }: SubmissionContext,
): Partial<Journal> {
  if (submission.kind === 'game')
    return {
      l1OriginHash: submission.l1OriginHash,
      outputRoot: submission.rootClaim,
      endingL2Block: submission.l2Block,
      intermediateRoots: submission.roots,
    }
  if (submission.kind === 'proposal')
    return {
      ...(game?.roots && { outputRoot: game.roots.at(-1)!, intermediateRoots: game.roots }),
      ...(game?.l2Block !== undefined && { endingL2Block: game.l2Block }),
    }
  const { index, root } = submission
  const interval = known.interval ?? game?.intermediateInterval
  const start = known.startingL2Block ?? (game && intervalStart(game, index))
  return {
    outputRoot: root,
    intermediateRoots: [root],
    ...(start !== undefined && { startingL2Block: start }),
    ...(start !== undefined && interval && { endingL2Block: start + interval }),
    ...(game?.roots && index > 0 && { prevOutputRoot: game.roots[index - 1]! }),
  }
}

function intervalStart(game: SubmittedGame, index: number): bigint {
  return game.startBlock + BigInt(index) * game.intermediateInterval
}

function verificationClaim(
  submission: { proposer: Address; imageHash: Hash; digest: Hash; signature: Hex },
  chain: ChainFacts | undefined,
): SignedClaim {
  const { proposer, imageHash, digest, signature } = submission
  return {
    name: 'proof',
    subject: 'digest',
    journal: { ...NOTHING, proposer, teeImageHash: imageHash },
    digest,
    signature,
    otherRoots: [],
    assumed: [],
    ...(chain && { chain: { registered: chain.registered } }),
  }
}
