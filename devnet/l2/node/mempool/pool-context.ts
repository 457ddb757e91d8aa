import type { L1FeeParameters } from '#protocol/execution/l1-fee'
import type { Account } from '#protocol/types/account'
import type { Address, Hash } from '#protocol/types/bytes'
import type { Fork } from '#protocol/types/execution-config'

/** What a transaction is checked against when it arrives: the newest pre-confirmed state. */
export interface PoolContext {
  chainId: bigint
  fork: Fork
  /** Of the block being built; wei. */
  baseFee: bigint
  /** Of the block being built. */
  gasLimit: bigint
  /** EIP-7825, where it holds for the block being built. */
  transactionGasCap?: bigint | undefined
  l1: L1FeeParameters
  /** What an earlier transaction of the pool may still give to its sender counts: nobody asks for funds. */
  ignoresFunds?: boolean
  account(address: Address): Account | undefined
  code(codeHash: Hash): Uint8Array
}
