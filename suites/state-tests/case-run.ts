import type { Receipt } from '../../enclave-sim/protocol/types/block.ts'
import type { Transaction } from '../../enclave-sim/protocol/types/transaction.ts'
import type { StateCase } from './state-case.ts'

/** How a transaction fared: the code it was refused with, or its receipt. */
export type Outcome = { refused: string } | { transaction: Transaction; receipt: Receipt }

export interface CaseRun {
  test: StateCase
  outcome: Outcome
  /** Every account read or written. */
  touched: bigint[]
}
