import type { Hex } from '../wire/hex.ts'
import { packJournal, recoverSigner, sampleRoots } from './journal.ts'
import { journalOf } from './journal-of.ts'
import { openRootReadings, type RootReading } from './open-root-readings.ts'
import type { ProofRequestJson, ProposalJson } from './proof-json.ts'

/** Readings of the last root, each of one kind of range alone. */
const LAST_ROOT = ['without the last', 'closed by the last'] as const

/** Who may sign, and what it measured. */
export interface Signer {
  signer: Hex
  imageHash: Hex
}

/** What the chain itself says of a range. */
export interface ProvenRange {
  /** Number of the agreed block. */
  start: number
  /** Output root of the agreed block. */
  previous: Hex
  /** Of each block after it, in order. */
  roots: readonly Hex[]
}

/**
 * By which readings of what its intermediate roots are (OPEN-50, OPEN-51) an aggregate is signed for its
 * request by one of the signers; by none where it is not signed for it.
 */
export function readingsOfAggregate(
  signers: readonly Signer[],
  request: ProofRequestJson,
  aggregate: ProposalJson,
  { start, previous, roots }: ProvenRange,
): RootReading[] {
  const interval = Number(request.intermediate_block_interval ?? 0)
  const others = interval > 0 ? openRootReadings({ start, roots, interval }) : []
  const sampled = sampleRoots(roots, interval)
  // Where a range ends at a sample the last root is in it, and where it does not there is none to leave out.
  const alike = LAST_ROOT.filter((name) => others.every((each) => each.name !== name))
  const readings = [
    ...(['sampled', ...alike] as const).map((name) => ({ name, roots: sampled })),
    ...others,
  ]
  return readings
    .filter(({ roots }) => isSigned(signers, request, aggregate, { start, previous, roots }))
    .map(({ name }) => name)
}

/** Whether the proposal of a block is signed for its request by one of the signers; `index` counts from 0. */
export function isBlockSigned(
  signers: readonly Signer[],
  request: ProofRequestJson,
  proposal: ProposalJson,
  { start, previous, roots }: ProvenRange,
  index: number,
): boolean {
  const before = index === 0 ? previous : roots[index - 1]!
  const range = { start: start + index, previous: before, roots: [] }
  return isSigned(signers, request, proposal, range)
}

function isSigned(
  signers: readonly Signer[],
  request: ProofRequestJson,
  proposal: ProposalJson,
  range: ProvenRange,
): boolean {
  const journal = journalOf(withProposer(request), proposal, range)
  return signers.some(({ signer, imageHash }) => {
    const bytes = packJournal({ ...journal, teeImageHash: imageHash })
    return recoverSigner(bytes, proposal.signature) === signer
  })
}

/** Who is named by nobody is nobody. */
function withProposer(request: ProofRequestJson): ProofRequestJson {
  return { ...request, proposer: request.proposer ?? `0x${'00'.repeat(20)}` }
}
