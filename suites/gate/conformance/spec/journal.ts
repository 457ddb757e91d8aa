import { concat, encodePacked } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { keccak256, recoverAddress } from './hash.ts'

/** What a signature commits to (spec, "Signed journal"). */
export interface Journal {
  proposer: Hex
  l1OriginHash: Hex
  prevOutputRoot: Hex
  startingL2Block: bigint
  outputRoot: Hex
  endingL2Block: bigint
  intermediateRoots: readonly Hex[]
  configHash: Hex
  teeImageHash: Hex
  /** On today's chain: the schedule of upgrades, as it was at the end of the range. */
  scheduleId?: Hex
}

/** Solidity's types of a journal's fields, in the order in which they are signed. */
export const JOURNAL_TYPES = [
  'address',
  'bytes32',
  'bytes32',
  'uint64',
  'bytes32',
  'uint64',
  'bytes32[]',
  'bytes32',
  'bytes32',
] as const

/** A journal's fields in that order. */
export const journalValues = (journal: Journal) =>
  [
    journal.proposer,
    journal.l1OriginHash,
    journal.prevOutputRoot,
    journal.startingL2Block,
    journal.outputRoot,
    journal.endingL2Block,
    journal.intermediateRoots,
    journal.configHash,
    journal.teeImageHash,
  ] as const

/**
 * The journal as 196 + 32·N packed bytes, by viem (JRN-01 to JRN-11), and on today's chain the id of the schedule
 * behind them, 228 + 32·N (TODAY-PROOF-02).
 */
export function packJournal(journal: Journal): Hex {
  const packed = encodePacked(JOURNAL_TYPES, journalValues(journal))
  return journal.scheduleId ? concat([packed, journal.scheduleId]) : packed
}

/**
 * Who signed keccak256 of these bytes with r ‖ s ‖ v (SIG-02, SIG-03), in lower case. undefined when
 * the bytes are no signature.
 */
export function recoverSigner(bytes: Hex, signature: Hex): Hex | undefined {
  try {
    return recoverAddress(keccak256(bytes), signature)
  } catch {
    return undefined
  }
}

/** Sampled roots: every `interval`-th block of the range, counted from its start (OPEN-50). */
export function sampleRoots(roots: readonly Hex[], interval: number): Hex[] {
  return roots.filter((_, index) => (index + 1) % interval === 0)
}
