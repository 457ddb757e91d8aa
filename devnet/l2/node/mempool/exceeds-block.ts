import { estimatedSize } from '#protocol/execution/l1-fee'
import type { SignedTransaction } from '#protocol/types/transaction'
import { PoolRejected } from './pool-rejected.ts'

/** What one block has for its transactions. */
export interface BlockRoom {
  gasLimit: bigint
  /** OP spec, Jovian: gas of the DA footprint a byte of estimated size; 0 before. */
  daGasPerByte: bigint
}

/**
 * Why not even an empty block could hold this transaction: it would wait for ever, and with it whatever its
 * sender sends afterwards. A limit can fall below what the pool took in before: Denim divides it by ten.
 */
export function exceedsBlock(
  { gas, raw }: Pick<SignedTransaction, 'gas' | 'raw'>,
  { gasLimit, daGasPerByte }: BlockRoom,
): PoolRejected | undefined {
  if (gas > gasLimit) return new PoolRejected('EXCEEDS_BLOCK_GAS_LIMIT', 'exceeds block gas limit')
  // Estimated from the compressed bytes, so never above their number: the usual transaction is not compressed.
  if (BigInt(raw.length) * daGasPerByte <= gasLimit) return undefined
  const footprint = (estimatedSize(raw) / 1_000_000n) * daGasPerByte
  if (footprint <= gasLimit) return undefined
  return new PoolRejected(
    'EXCEEDS_BLOCK_GAS_LIMIT',
    `exceeds block gas limit: its ${raw.length} bytes count as ${footprint} gas of DA footprint, and a block holds ${gasLimit}`,
  )
}
