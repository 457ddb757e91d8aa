import { z } from 'zod'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Journal } from '#protocol/journal/journal'
import type { Hex } from '#protocol/types/bytes'
import type { Departure } from './departure.ts'
import { KNOWN_SCHEDULES, type NamedSchedule, nameOfSchedule } from './known-schedules.ts'
import { type OrderedRange, orderProposals } from './order-proposals.ts'
import { aggregateReadings, blockReadings, lonelyReadings, sampledRoots } from './roots-readings.ts'
import {
  type ClaimedSchedule,
  type Known,
  type SignedClaim,
  ZERO_ADDRESS,
  ZERO_HASH,
} from './signed-claim.ts'

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase() as Hex)
const hash = hex(/^0x[0-9a-fA-F]{64}$/)

const proposalSchema = z.object({
  output_root: hash,
  signature: hex(/^0x([0-9a-fA-F]{2})*$/),
  l1_origin_hash: hash,
  l1_origin_number: z.int().nonnegative().transform(BigInt).optional(),
  l2_block_number: z.int().nonnegative().transform(BigInt),
  prev_output_root: hash,
  config_hash: hash,
  schedule_id: hash.optional(),
})
const resultSchema = z.object({
  Tee: z.object({ aggregate_proposal: proposalSchema, proposals: z.array(proposalSchema).min(1) }),
})

type Proposal = z.infer<typeof proposalSchema>

/** JSON that holds no ProofResult of a TEE. */
export class ProofResultInvalid extends RollbedError {
  constructor(problem: string) {
    super('PROOF_RESULT_INVALID', `This is no ProofResult of a TEE: ${problem}.`, {
      hint: 'It is {"Tee": {"aggregate_proposal", "proposals"}}, bare or as the result of an answer.',
    })
  }
}

/**
 * The claims of a prover's answer: one for each block, then the aggregate (PRV-RES-01 to 03).
 * @param json a ProofResult, or the JSON-RPC answer that holds one
 * @param schedules of the chain's upgrades, as far as somebody knows them
 * @throws ProofResultInvalid
 */
export function readProofResult(
  json: unknown,
  known: Known,
  schedules: readonly NamedSchedule[] = [],
): SignedClaim[] {
  const bare = Object(json).result ?? json
  const parsed = resultSchema.safeParse(bare)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ProofResultInvalid(`${issue?.path.join('.') || 'it'}: ${issue?.message}`)
  }
  const { proposals, aggregate_proposal: aggregate } = parsed.data.Tee
  const blocks = proposals.map((proposal, index): SignedClaim => {
    const { journal, assumed } = journalOf(proposal, proposal.l2_block_number - 1n, known)
    return {
      name: `proposals[${index}]`,
      subject: 'block',
      journal,
      assumed,
      signature: proposal.signature,
      otherRoots: blockReadings(proposal.output_root),
      ...headNumber(proposal),
      ...scheduleOf(proposal, schedules),
    }
  })
  const claim = aggregateClaim(proposals, aggregate, known)
  const schedule = scheduleOf(aggregate, schedules)
  const otherwise = claim.otherwise?.map((each) => ({ ...each, ...schedule }))
  return [...blocks, { ...claim, ...schedule, ...(otherwise && { otherwise }) }]
}

function aggregateClaim(
  proposals: readonly Proposal[],
  aggregate: Proposal,
  known: Known,
): SignedClaim {
  const begins = known.startingL2Block
  const end = aggregate.l2_block_number
  const range = orderProposals(proposals, aggregate, begins)
  const claim = claimOver(range, aggregate, known)
  const over = (start: bigint, what = aggregate) =>
    claimOver(orderProposals(proposals, what, start), what, known)
  const last = proposals
    .map((each) => each.l2_block_number)
    .toSorted(ascending)
    .at(-1)!
  const first = orderProposals(proposals, aggregate).start
  const byCount = end - BigInt(proposals.length)
  const otherwise = [
    // Nothing may be missing, and the root before the range be a wrong one.
    ...(range.lacksStart ? [over(range.start + 1n)] : []),
    // The number of the first proposal may be a wrong one.
    ...(begins === undefined && byCount !== range.start ? [over(byCount)] : []),
    ...(begins !== undefined && begins !== first
      ? [{ ...over(first), departs: wrongNumber('startingL2Block', 'JRN-14', first, begins) }]
      : []),
    ...(last === end
      ? []
      : [
          {
            ...over(begins ?? first, { ...aggregate, l2_block_number: last }),
            departs: wrongNumber('l2_block_number', 'PRV-PROP-05', last, end),
          },
        ]),
  ]
  return { ...claim, ...(otherwise.length > 0 && { otherwise }) }
}

const ascending = (one: bigint, other: bigint) => (one < other ? -1 : 1)

function wrongNumber(field: string, rule: string, right: bigint, claimed: bigint): Departure {
  const says = `${field} as ${right}, not ${claimed}`
  return { part: 'value', says, rules: [rule], apply: (reading) => reading }
}

function claimOver(
  { start, roots, lacksStart, disorder }: OrderedRange,
  aggregate: Proposal,
  known: Known,
): SignedClaim {
  const all = roots.map((root) => root ?? ZERO_HASH)
  const range = { start, all, interval: known.interval }
  const { journal, assumed } = journalOf(aggregate, start, known)
  // One block: the aggregate is the per-block proposal, whatever the interval (PRV-PROP-08).
  const isBlock = roots.length === 1
  return {
    name: 'aggregate_proposal',
    subject: isBlock ? 'block' : 'aggregate',
    journal: { ...journal, intermediateRoots: isBlock ? [] : sampledRoots(range) },
    assumed,
    signature: aggregate.signature,
    ...(known.interval && { interval: known.interval }),
    ...(disorder.length > 0 && { disorder }),
    ...(roots.includes(undefined) && { lacksRoots: true }),
    ...(lacksStart && { lacksStart }),
    ...headNumber(aggregate),
    otherRoots: isBlock
      ? lonelyReadings(aggregate.output_root, known.interval)
      : aggregateReadings(range),
  }
}

const headNumber = ({ l1_origin_number }: Proposal) =>
  l1_origin_number === undefined ? {} : { l1HeadNumber: l1_origin_number }

/** A prover that tells the id of a schedule says by it that its journals end with one. */
function scheduleOf(
  { schedule_id: id }: Proposal,
  schedules: readonly NamedSchedule[],
): { schedule?: ClaimedSchedule } {
  if (!id) return {}
  const known = nameOfSchedule(id, KNOWN_SCHEDULES)
  const says = nameOfSchedule(id, schedules) ?? (known && `Base mainnet's, ${known}`)
  return { schedule: { id, says: says ?? 'as the proposal tells it', others: [] } }
}

function journalOf(
  proposal: Proposal,
  startingL2Block: bigint,
  known: Known,
): { journal: Journal; assumed: (keyof Journal)[] } {
  const { proposer, teeImageHash } = known
  const scheduleId = proposal.schedule_id ?? known.scheduleId
  return {
    journal: {
      proposer: proposer ?? ZERO_ADDRESS,
      l1OriginHash: proposal.l1_origin_hash,
      prevOutputRoot: proposal.prev_output_root,
      startingL2Block,
      outputRoot: proposal.output_root,
      endingL2Block: proposal.l2_block_number,
      intermediateRoots: [],
      configHash: known.configHash ?? proposal.config_hash,
      teeImageHash: teeImageHash ?? ZERO_HASH,
      ...(scheduleId && { scheduleId }),
    },
    assumed: [
      ...(proposer ? [] : (['proposer'] as const)),
      ...(teeImageHash ? [] : (['teeImageHash'] as const)),
    ],
  }
}
