import { RollbedError } from '../errors/rollbed-error.ts'
import type { Address, Hash } from '../types/bytes.ts'

/** What a signature commits to: one claim about a range of L2 blocks (JRN-03..11). */
export interface Journal {
  /** Who may submit it on L1. */
  proposer: Address
  /** The L1 head of the request, in every journal (JRN-21). */
  l1OriginHash: Hash
  prevOutputRoot: Hash
  /** Number of the block before the range. */
  startingL2Block: bigint
  outputRoot: Hash
  endingL2Block: bigint
  intermediateRoots: Hash[]
  configHash: Hash
  /** keccak256(PCR0); zero in local mode. */
  teeImageHash: Hash
  /** Only in the layout with 228 bytes. */
  scheduleId?: Hash
}

/** Bytes that are no journal of the layout, or fields that do not fit it. */
export class JournalInvalid extends RollbedError {
  constructor(problem: string) {
    super('JOURNAL_INVALID', `journal: ${problem}`, {
      hint: "Valid ones, as bytes and as JSON, are in rollbed's fixtures/vectors/journal.json.",
    })
  }
}
