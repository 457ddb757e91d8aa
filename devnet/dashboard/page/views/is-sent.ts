import type { BlockJson, Hex, TransactionJson } from '../json-types.ts'

/** A page of `rollbed_transactionsOf`. */
export interface TransactionPage {
  transactions: TransactionJson[]
  /** Where the next page begins; null at the beginning of the chain. */
  before: Hex | null
}

/** Who puts the L1 attributes at the head of each block. Source: OP specs, deposits. */
const L1_ATTRIBUTES_DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

/** Somebody sent it: it is not what stands in each block. */
export const isSent = ({ from }: TransactionJson): boolean =>
  from.toLowerCase() !== L1_ATTRIBUTES_DEPOSITOR

/** What stands at the head of each block: L1's attributes, and where blocks are of 200 ms their time. */
export const systemTransactions = ({ timestampMs }: BlockJson): number =>
  timestampMs === undefined ? 1 : 2
