import { encodePacked, type Hex } from 'viem'
import type { Journal } from '#protocol/journal/journal'

/** Solidity's types of a journal's fields (JRN-01 to JRN-11). */
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

/** Solidity's abi.encodePacked of a journal, as viem does it (JRN-01 to JRN-11). */
export function packByViem(journal: Journal): Hex {
  const { proposer, l1OriginHash, prevOutputRoot, outputRoot, configHash, teeImageHash } = journal
  return encodePacked(JOURNAL_TYPES, [
    proposer,
    l1OriginHash,
    prevOutputRoot,
    journal.startingL2Block,
    outputRoot,
    journal.endingL2Block,
    journal.intermediateRoots,
    configHash,
    teeImageHash,
  ])
}
