import type { Block } from '#protocol/types/block'

/** What came of the random blocks of one seed, in our executor and in another engine. */
export interface SeedReport {
  blocks: number
  succeeded: number
  failed: number
  /** Refused by both engines. */
  invalid: number
  /** Empty if the engines agree. */
  differences: string[]
}

export function emptyReport(): SeedReport {
  return { blocks: 0, succeeded: 0, failed: 0, invalid: 0, differences: [] }
}

/** @param offered transactions, of which our block has those that are valid */
export function countBlock(report: SeedReport, { receipts }: Block, offered: number): void {
  report.blocks++
  report.invalid += offered - receipts.length
  for (const { status } of receipts) report[status === 1 ? 'succeeded' : 'failed']++
}
