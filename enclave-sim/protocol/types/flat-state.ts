import type { Account } from './account.ts'
import type { Address, Hash } from './bytes.ts'

/** An account as the state trie holds it; both undefined where there is none. */
export interface StoredAccount {
  account: Account | undefined
  /** Its RLP. */
  encoded: Uint8Array | undefined
}

/** What changed from one state to the next. Values of slots are big-endian without leading zeros. */
export interface StateChanges {
  accounts: Map<Address, StoredAccount>
  slots: Map<Address, Map<Hash, Uint8Array>>
  /** Whether all storage of some account was dropped at once. */
  hasClearedStorage: boolean
}

/**
 * Accounts and slots by address and slot, beside the trie that they belong to: no hash is computed and
 * no node walked for what was read or written before. It may forget anything at any time; whoever finds
 * nothing reads the trie and tells what was there.
 */
export interface FlatState {
  account(stateRoot: Hash, address: Address): StoredAccount | undefined
  keepAccount(stateRoot: Hash, address: Address, account: StoredAccount): void
  slot(stateRoot: Hash, address: Address, slot: Hash): Uint8Array | undefined
  keepSlot(stateRoot: Hash, address: Address, slot: Hash, value: Uint8Array): void
  /** A state was made of another by these changes and nothing else. */
  advance(from: Hash, to: Hash, changes: StateChanges): void
}
