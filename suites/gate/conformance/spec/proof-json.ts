import { expectThat } from '../matchers/expect-equal.ts'
import { expectBytes, expectHash } from '../matchers/expect-hex.ts'
import { expectArray, expectExactKeys, expectObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'

/** Params of prover_prove, as JSON (spec, "ProofRequest"; OPEN-57…59). */
export interface ProofRequestJson {
  l1_head: Hex
  l1_head_number: number
  agreed_l2_head_hash: Hex
  agreed_l2_output_root: Hex
  claimed_l2_output_root: Hex
  claimed_l2_block_number: number
  proposer: Hex
  intermediate_block_interval: number
  image_hash: Hex
}

/** The seven members of a proposal (PRV-PROP-01), and what today's chain adds (TODAY-PROOF-01). */
export interface ProposalJson {
  output_root: Hex
  signature: Hex
  l1_origin_hash: Hex
  l1_origin_number: number
  l2_block_number: number
  prev_output_root: Hex
  config_hash: Hex
  schedule_id?: Hex
}

const PROPOSAL_KEYS = [
  'output_root',
  'signature',
  'l1_origin_hash',
  'l1_origin_number',
  'l2_block_number',
  'prev_output_root',
  'config_hash',
]

export interface ProofJson {
  aggregate: ProposalJson
  proposals: ProposalJson[]
}

/**
 * A result of prover_prove with every member in its form (PRV-RES-01 to -03).
 *
 * @param judged by which profile: in `today` a proposal may name the schedule of upgrades, too
 * @throws CaseFailure
 */
export function expectProof(result: unknown, judged: { profile: string }): ProofJson {
  // A result is one variant: what stands beside it makes it another one, or none.
  expectExactKeys(expectObject(result, 'result'), ['Tee'], 'result')
  const tee = expectObject(expectObject(result, 'result').Tee, 'result.Tee')
  const proposals = expectArray(tee.proposals, 'result.Tee.proposals')
  const proposal = (value: unknown, at: string) => expectProposal(value, at, judged)
  return {
    aggregate: proposal(tee.aggregate_proposal, 'result.Tee.aggregate_proposal'),
    proposals: proposals.map((each, i) => proposal(each, `result.Tee.proposals[${i}]`)),
  }
}

function expectProposal(value: unknown, at: string, { profile }: { profile: string }) {
  const proposal = expectObject(value, at)
  const namesSchedule = profile === 'today' && 'schedule_id' in proposal
  expectExactKeys(proposal, [...PROPOSAL_KEYS, ...(namesSchedule ? ['schedule_id'] : [])], at)
  if (namesSchedule) expectHash(proposal.schedule_id, `${at}.schedule_id`)
  for (const key of ['output_root', 'l1_origin_hash', 'prev_output_root', 'config_hash']) {
    expectHash(proposal[key], `${at}.${key}`)
  }
  for (const key of ['l1_origin_number', 'l2_block_number']) {
    expectThat(Number.isSafeInteger(proposal[key]), 'a number', proposal[key], `${at}.${key}`)
  }
  expectBytes(proposal.signature, `${at}.signature`)
  return proposal as unknown as ProposalJson
}
