import type { JournalVectors } from './vector-schema.ts'

const BASE_ISSUES = 'https://github.com/base/base/issues'

/** Why a vector exists, by its flag. */
export const VECTOR_NOTES = {
  Plain: {
    bugType: 'BASIC',
    description: 'An ordinary journal or signature.',
  },
  EdgeValue: {
    bugType: 'EDGE_CASE',
    description: 'Zeros, ones, or the largest value that a field holds.',
  },
  FieldSize: {
    bugType: 'MISSING_STEP',
    description: 'A field that has not its size.',
    effect: 'All fields behind it move, and the signature says something else.',
  },
  NumberRange: {
    bugType: 'MISSING_STEP',
    description: 'A block number that does not fit 64 bits.',
    effect: 'Truncated, it signs for another block.',
  },
  Length: {
    bugType: 'MISSING_STEP',
    description: 'A length that is not 196 + 32·N.',
  },
  Sampling: {
    bugType: 'BASIC',
    description:
      'Intermediate roots are those at start + i·interval: as many as whole intervals fit the range, not the last block number divided by the interval.',
    effect: 'The contract packs another number of roots and recovers another signer.',
  },
  OneBlock: {
    bugType: 'EDGE_CASE',
    description: 'A range of one block has no intermediate roots, whatever the interval.',
  },
  ZeroInterval: {
    bugType: 'EDGE_CASE',
    description: 'An interval of zero samples nothing, and divides nothing.',
    effect: 'A crash, or a loop without end.',
  },
  WideBlockNumbers: {
    bugType: 'LEGACY',
    description: 'Block numbers in 32 bytes each, 244 + 32·N: the layout before May 2026.',
    effect: 'Every proof is refused on L1.',
    links: [`${BASE_ISSUES}/1759`],
  },
  ScheduleId: {
    bugType: 'LEGACY',
    description: 'A schedule id at the end, 228 + 32·N: the layout from July 2026.',
    links: [`${BASE_ISSUES}/4209`],
  },
  AbiEncoded: {
    bugType: 'WRONG_PRIMITIVE',
    description: 'ABI-encoded instead of packed.',
  },
  FieldOrder: {
    bugType: 'WRONG_PRIMITIVE',
    description: 'Two fields of the same size swapped: the length does not show it.',
  },
  WrongDigest: {
    bugType: 'WRONG_PRIMITIVE',
    description: 'Signed over something else than keccak256 of the journal.',
  },
  ModifiedJournal: {
    bugType: 'BASIC',
    description: 'A journal that was changed after it was signed.',
  },
  WrongKey: {
    bugType: 'BASIC',
    description: 'Signed by another key.',
  },
  SignatureSize: {
    bugType: 'MISSING_STEP',
    description: 'A signature that has not 65 bytes.',
  },
  InvalidV: {
    bugType: 'MISSING_STEP',
    description: 'A last byte that is no recovery id in any form.',
  },
  EthereumV: {
    bugType: 'LEGACY',
    description: '27 and 28 instead of 0 and 1: the form that contracts want.',
    effect: 'Enclaves give 0 and 1; a reader may take both.',
  },
  RangeCheck: {
    bugType: 'MISSING_STEP',
    description: 'r or s is zero, or not below the order of the curve.',
  },
  HighS: {
    bugType: 'MALLEABILITY',
    description: 's in the upper half of the order, with the other recovery id.',
    effect: 'The same signature twice; TEEVerifier refuses it (EIP-2).',
    links: ['https://eips.ethereum.org/EIPS/eip-2'],
  },
} as const satisfies JournalVectors['notes']

export type VectorFlag = keyof typeof VECTOR_NOTES
