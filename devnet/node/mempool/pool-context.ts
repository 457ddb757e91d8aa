import type { L1FeeParameters } from '../../../enclave-sim/protocol/execution/l1-fee.ts'
import type { Account } from '../../../enclave-sim/protocol/types/account.ts'
import type { Address, Hash } from '../../../enclave-sim/protocol/types/bytes.ts'
import type { Fork } from '../../../enclave-sim/protocol/types/execution-config.ts'

/** What a transaction is checked against when it arrives: the newest pre-confirmed state. */
export interface PoolContext {
  chainId: bigint
  fork: Fork
  /** Of the block being built; wei. */
  baseFee: bigint
  /** Of the block being built. */
  gasLimit: bigint
  l1: L1FeeParameters
  /** What an earlier transaction of the pool may still give to its sender counts: nobody asks for funds. */
  ignoresFunds?: boolean
  account(address: Address): Account | undefined
  code(codeHash: Hash): Uint8Array
}
