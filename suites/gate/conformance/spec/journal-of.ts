import type { Hex } from '../wire/hex.ts'
import type { Journal } from './journal.ts'
import type { ProofRequestJson, ProposalJson } from './proof-json.ts'

/** The journal a proposal must be signed over, but for the image hash. */
export function journalOf(
  request: ProofRequestJson,
  proposal: ProposalJson,
  range: { start: number; previous: Hex; roots: readonly Hex[] },
): Omit<Journal, 'teeImageHash'> {
  return {
    proposer: request.proposer,
    l1OriginHash: request.l1_head,
    prevOutputRoot: range.previous,
    startingL2Block: BigInt(range.start),
    outputRoot: proposal.output_root,
    endingL2Block: BigInt(proposal.l2_block_number),
    intermediateRoots: range.roots,
    configHash: proposal.config_hash,
    ...(proposal.schedule_id && { scheduleId: proposal.schedule_id }),
  }
}
