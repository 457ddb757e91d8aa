import type { Receipt } from '#protocol/types/block'
import type { Transaction } from '#protocol/types/transaction'
import type { StateCase } from './state-case.ts'

/** How a transaction fared: the code it was refused with, or its receipt. */
export type Outcome = { refused: string } | { transaction: Transaction; receipt: Receipt }

export interface CaseRun {
  test: StateCase
  outcome: Outcome
  /** Every account read or written. */
  touched: bigint[]
}
