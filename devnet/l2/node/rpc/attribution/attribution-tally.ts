import { calldataGas } from '#devnet/builder-codes/attribution/calldata-gas'
import { codesOf, readAttribution } from '#devnet/builder-codes/attribution/read-attribution'
import type { Receipt } from '#protocol/types/block'
import type { Transaction } from '#protocol/types/transaction'

/** What one code brought about. A transaction with several codes counts whole for each. */
export interface CodeTally {
  code: string
  transactions: number
  suffixBytes: number
  /** Of the suffixes: 16 per non-zero byte, 4 per zero byte. */
  gas: bigint
  /** Of the suffixes, at the calldata floor. */
  floorGas: bigint
  /** Of all calldata, suffixes included. */
  calldataGas: bigint
  /** By the receipts. */
  gasUsed: bigint
}

export interface AttributionTally {
  /** Transactions with an attribution, those without codes included. */
  transactions: number
  codes: Map<string, CodeTally>
}

/** Adds the attributed transactions of a block to a tally. */
export function addToTally(
  tally: AttributionTally,
  block: { transactions: readonly Transaction[]; receipts: readonly Receipt[] },
): void {
  for (const [index, { data }] of block.transactions.entries()) {
    const read = readAttribution(data)
    if (!read) continue
    tally.transactions += 1
    for (const code of new Set(codesOf(read.attribution))) {
      const sums = tally.codes.get(code) ?? emptyTally(code)
      sums.transactions += 1
      sums.suffixBytes += read.size
      sums.gas += read.gas.intrinsic
      sums.floorGas += read.gas.floor
      sums.calldataGas += calldataGas(data).intrinsic
      sums.gasUsed += block.receipts[index]!.gasUsed
      tally.codes.set(code, sums)
    }
  }
}

function emptyTally(code: string): CodeTally {
  const sums = { gas: 0n, floorGas: 0n, calldataGas: 0n, gasUsed: 0n }
  return { code, transactions: 0, suffixBytes: 0, ...sums }
}
