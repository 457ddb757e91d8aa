import type { Address, Hash } from './bytes.ts'

export interface AccessListEntry {
  address: Address
  storageKeys: Hash[]
}

export interface Authorization {
  chainId: bigint
  address: Address
  nonce: bigint
  yParity: bigint
  r: bigint
  s: bigint
}

interface TransactionBase {
  /** EIP-2718 bytes, as they stand in the block. */
  raw: Uint8Array
  hash: Hash
  from: Address
  /** null: contract creation. */
  to: Address | null
  value: bigint
  gas: bigint
  data: Uint8Array
}

/** Types 0 (legacy), 1 (2930), 2 (1559) and 4 (7702). For 0 and 1 both fee fields are the gasPrice. */
export interface SignedTransaction extends TransactionBase {
  type: 0 | 1 | 2 | 4
  /** undefined: a legacy transaction without replay protection. */
  chainId: bigint | undefined
  nonce: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  accessList: AccessListEntry[]
  authorizationList: Authorization[]
  /** As encoded: 27/28 or EIP-155 for legacy, else the parity. */
  v: bigint
  yParity: 0 | 1
  r: bigint
  s: bigint
  /**
   * Sent in the name of an account whose key nobody used, maybe a contract's. Only a devnet's cheats
   * make such transactions; decoding never does.
   */
  isImpersonated?: true
}

/** The EIP-2718 type of deposits. */
export const DEPOSIT_TYPE = 0x7e

/** Type 0x7e: an L1 deposit or the L1-attributes transaction. */
export interface DepositTransaction extends TransactionBase {
  type: typeof DEPOSIT_TYPE
  sourceHash: Hash
  mint: bigint
  isSystemTransaction: boolean
}

export type Transaction = SignedTransaction | DepositTransaction

export const isDeposit = (transaction: Transaction): transaction is DepositTransaction =>
  transaction.type === DEPOSIT_TYPE
