import type { L1FeeParameters } from '../../../enclave-sim/execution/l1-fee.ts'
import type { Account, Address, Fork, Hash } from '../../../enclave-sim/execution/types.ts'

/** What a transaction is checked against when it arrives: the newest pre-confirmed state. */
export interface PoolContext {
  chainId: bigint
  fork: Fork
  /** Of the block being built; wei. */
  baseFee: bigint
  /** Of the block being built. */
  gasLimit: bigint
  l1: L1FeeParameters
  account(address: Address): Account | undefined
  code(codeHash: Hash): Uint8Array
}
