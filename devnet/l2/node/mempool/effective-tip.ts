import { bigIntMin } from '@ethereumjs/util'
import type { SignedTransaction } from '#protocol/types/transaction'

/**
 * What the block producer earns per gas, in wei; negative when the fee cap is below the base fee, so
 * that the transaction cannot stand in the block (EIP-1559).
 */
export function effectiveTip(transaction: SignedTransaction, baseFee: bigint): bigint {
  return bigIntMin(transaction.maxPriorityFeePerGas, transaction.maxFeePerGas - baseFee)
}

/**
 * May `newer` take the place of `older` with the same nonce? Both fee fields must rise, and by at
 * least 10 percent rounded down (geth: legacypool PriceBump).
 */
export function outbids(newer: SignedTransaction, older: SignedTransaction): boolean {
  const bumped = (fee: bigint) => (fee * 110n) / 100n
  return (
    newer.maxFeePerGas > older.maxFeePerGas &&
    newer.maxPriorityFeePerGas > older.maxPriorityFeePerGas &&
    newer.maxFeePerGas >= bumped(older.maxFeePerGas) &&
    newer.maxPriorityFeePerGas >= bumped(older.maxPriorityFeePerGas)
  )
}
