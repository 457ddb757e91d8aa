import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { decodeRlp } from '../bytes/decode-rlp.ts'
import { EMPTY_TRIE_ROOT, KECCAK_EMPTY } from '../crypto/keccak.ts'
import { hashedKey } from '../trie/hashed-key.ts'
import { NodeMissing } from '../trie/node-missing.ts'
import { Trie } from '../trie/trie.ts'
import type { Account } from '../types/account.ts'
import type { Address, Hash, Hex } from '../types/bytes.ts'
import type { StoredAccount } from '../types/flat-state.ts'
import type { StateSource } from '../types/state.ts'
import { decodeAccount } from './account-codec.ts'
import { remoteKey } from './remote-key.ts'
import { isRemoteStorage } from './remote-storage.ts'

const EMPTY = new Uint8Array(0)
const ZERO: Hash = `0x${'00'.repeat(32)}`

const EMPTY_ACCOUNT: Account = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: KECCAK_EMPTY,
}

/**
 * The account at a state root, or undefined.
 * @throws NodeMissing
 * @example
 * const balance = readAccount(store, stateRoot, address)?.balance ?? 0n
 */
export function readAccount(
  source: StateSource,
  stateRoot: Hash,
  address: Address,
): Account | undefined {
  return storedAccount(source, stateRoot, address).account
}

/**
 * The same, and its RLP.
 * @param trie at this root, if there is one
 * @throws NodeMissing
 */
export function storedAccount(
  source: StateSource,
  stateRoot: Hash,
  address: Address,
  trie?: Trie,
): StoredAccount {
  const { flat } = source
  const known = flat?.account(stateRoot, address)
  if (known) return known
  const encoded =
    (trie ?? new Trie(source, stateRoot)).get(hashedKey(address)) ??
    (source.isFork ? remoteValue(source, remoteKey(address)) : undefined)
  const account = encoded && decodeAccount(encoded)
  const isGone = source.isFork && account && isNothing(account)
  const stored = { account: isGone ? undefined : account, encoded }
  flat?.keepAccount(stateRoot, address, stored)
  return stored
}

/** Of the chain that was forked; undefined where it has nothing. */
function remoteValue(source: StateSource, key: Hex): Uint8Array | undefined {
  const value = source.get(key)
  if (!value) throw new NodeMissing(key)
  return value.length === 0 ? undefined : value
}

/** EIP-161; so a fork says that it took an account away. */
function isNothing({ nonce, balance, codeHash }: Account): boolean {
  return nonce === 0n && balance === 0n && codeHash === KECCAK_EMPTY
}

/**
 * A storage slot at a state root, as 32 bytes; zero where there is none.
 * @example
 * const word = readStorage(store, stateRoot, address, `0x${'00'.repeat(32)}`)
 */
export function readStorage(
  source: StateSource,
  stateRoot: Hash,
  address: Address,
  slot: Hash,
): Hash {
  const account = readAccount(source, stateRoot, address)
  if (!account || account.storageRoot === EMPTY_TRIE_ROOT) return ZERO
  const { storageRoot } = account
  return toWord(storedSlot(source, stateRoot, { address, storageRoot }, slot))
}

function toWord(value: Uint8Array): Hash {
  return `0x${bytesToHex(value).slice(2).padStart(64, '0')}`
}

/**
 * A slot of an account that has storage, big-endian without leading zeros.
 * @param trie at its storage root, if there is one
 * @throws NodeMissing
 */
export function storedSlot(
  source: StateSource,
  stateRoot: Hash,
  account: { address: Address; storageRoot: Hash },
  slot: Hash,
  trie?: Trie,
): Uint8Array {
  const { flat } = source
  const { address, storageRoot } = account
  const known = flat?.slot(stateRoot, address, slot)
  if (known) return known
  const storage = trie ?? new Trie(source, storageRoot)
  const encoded = storage.get(hashedKey(slot))
  const value = encoded
    ? (decodeRlp(encoded, 0) as Uint8Array)
    : ((source.isFork && isRemoteStorage(storage)
        ? remoteValue(source, remoteKey(address, slot))
        : undefined) ?? EMPTY)
  flat?.keepSlot(stateRoot, address, slot, value)
  return value
}

/**
 * The code of an account at a state root; empty where there is none.
 * @throws NodeMissing where the source lacks the code, or a node on the way to it
 */
export function readCode(source: StateSource, stateRoot: Hash, address: Address): Uint8Array {
  const account = readAccount(source, stateRoot, address)
  if (!account || account.codeHash === KECCAK_EMPTY) return new Uint8Array(0)
  const code = source.get(account.codeHash)
  if (!code) throw new NodeMissing(account.codeHash, 'code')
  return code
}

export interface AccountProof {
  /** Zeros and the hashes of nothing when the account does not exist. */
  account: Account
  exists: boolean
  /** Encoded trie nodes, root first. */
  accountProof: Uint8Array[]
  storageProof: { slot: Hash; value: Hash; proof: Uint8Array[] }[]
}

/** Account and slots with Merkle proofs, as eth_getProof gives them (EIP-1186). */
export function proveAccount(
  source: StateSource,
  stateRoot: Hash,
  address: Address,
  slots: readonly Hash[] = [],
): AccountProof {
  const trie = new Trie(source, stateRoot)
  const key = hashedKey(address)
  const encoded = trie.get(key)
  const account = encoded ? decodeAccount(encoded) : EMPTY_ACCOUNT
  const storage = new Trie(source, account.storageRoot)
  return {
    account,
    exists: encoded !== undefined,
    accountProof: trie.prove(key),
    storageProof: slots.map((slot) => ({
      slot,
      value: storageValue(storage, slot),
      proof: storage.prove(hashedKey(slot)),
    })),
  }
}

function storageValue(trie: Trie, slot: Hash): Hash {
  const encoded = trie.get(hashedKey(slot))
  const value = encoded ? (decodeRlp(encoded, 0) as Uint8Array) : new Uint8Array(0)
  return toWord(value)
}
