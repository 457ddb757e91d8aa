import type { Address, Hash, Hex } from './bytes.ts'

export interface Account {
  nonce: bigint
  balance: bigint
  storageRoot: Hash
  codeHash: Hash
}

/** Genesis allocation: lower-case address to account. */
export type Alloc = Record<Address, AllocAccount>

export interface AllocAccount {
  balance?: bigint
  nonce?: bigint
  code?: Hex
  /** 32-byte slot to 32-byte value, both lower-case 0x hex. */
  storage?: Record<Hash, Hash>
}
