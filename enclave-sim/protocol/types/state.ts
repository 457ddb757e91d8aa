import type { Address, Hash } from './bytes.ts'
import type { FlatState } from './flat-state.ts'

/** What of the state was read or written when a value was missed: it is on the way there. */
export interface StatePlace {
  address: Address
  /** In the account's storage; absent: the account itself, or its code. */
  slot?: Hash
}

/**
 * Content-addressed bytes: trie nodes and contract code under their keccak-256. Synchronous, because
 * the trie and the EVM read it in their inner loops. Where values live far away (a witness being
 * collected over RPC), `get` answers undefined and `fetch` brings the value to where `get` finds it.
 */
export interface StateSource {
  /** `kind` is a hint: what the value is meant to be, a trie node unless told. */
  get(hash: Hash, kind?: 'code'): Uint8Array | undefined
  /** The same states by address and slot, where somebody keeps them so. */
  readonly flat?: FlatState
  /**
   * The states are changes of the state of another chain, of which there is no trie. What a state does
   * not say is under `remoteKey`: an account's RLP or a slot's value, empty where there is none. So a
   * state of a fork says what it took away, and its root is the root of its changes.
   */
  readonly isFork?: boolean
  /** @throws PreimageMissing when the value cannot be had. */
  fetch?(hash: Hash, kind: 'node' | 'code', place?: StatePlace): Promise<void>
}

export interface StateStore extends StateSource {
  put(hash: Hash, value: Uint8Array): void
}
