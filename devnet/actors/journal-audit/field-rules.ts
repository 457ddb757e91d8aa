import type { Journal } from '#protocol/journal/journal'

/** Where each field lies: only bytes that were signed can show it. */
export const FIELD_RULES = {
  proposer: 'JRN-03',
  l1OriginHash: 'JRN-04',
  prevOutputRoot: 'JRN-05',
  startingL2Block: 'JRN-06',
  outputRoot: 'JRN-07',
  endingL2Block: 'JRN-08',
  intermediateRoots: 'JRN-09',
  configHash: 'JRN-10',
  teeImageHash: 'JRN-11',
} as const satisfies Partial<Record<keyof Journal, string>>
