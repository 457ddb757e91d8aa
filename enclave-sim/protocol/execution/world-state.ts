import { equalsBytes } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { EMPTY_TRIE_ROOT, KECCAK_EMPTY, keccak256 } from '../crypto/keccak.ts'
import { hashedKey } from '../trie/hashed-key.ts'
import { NodeMissing } from '../trie/node-missing.ts'
import { Trie } from '../trie/trie.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { StateChanges } from '../types/flat-state.ts'
import type { StatePlace, StateSource, StateStore } from '../types/state.ts'
import { encodeAccount } from './account-codec.ts'
import { storedAccount, storedSlot } from './account-reader.ts'

const EMPTY: Uint8Array = new Uint8Array(0)
const NO_CODE = hexToBytes(KECCAK_EMPTY)
/** Stands in a fork's state for an account that it took away. */
const ACCOUNT_OF_NOTHING = encodeAccount({
  ...{ nonce: 0n, balance: 0n },
  ...{ storageRoot: EMPTY_TRIE_ROOT, codeHash: KECCAK_EMPTY },
})

/** An account as it stands now. Change it through WorldState only, or nothing can be undone. */
export interface AccountEntry {
  readonly address: Address
  /** The same, once somebody asked for it. */
  bytes: Uint8Array | undefined
  exists: boolean
  nonce: bigint
  balance: bigint
  codeHash: Uint8Array
  code: Uint8Array | undefined
  /** Whether the store may lack the code. */
  codeIsNew: boolean
  storage: AccountStorage
  /** Its RLP in the trie; undefined when it is not there. */
  written: Uint8Array | undefined
}

/** Values are big-endian without leading zeros; absent and zero are the empty string. */
interface AccountStorage {
  root: Hash
  /** The same, once somebody asked for it. */
  rootBytes: Uint8Array | undefined
  trie: Trie | undefined
  values: Map<Hash, Uint8Array>
  /** What the trie holds of the slots in `dirty`. */
  written: Map<Hash, Uint8Array>
  dirty: Set<Hash>
}

type AccountFields = Partial<Pick<AccountEntry, 'exists' | 'nonce' | 'balance'>>

/**
 * The mutable state of one block or call: everything read or written so far, over a trie it came
 * from. Changes are undone by checkpoints within a transaction, become final with `endTransaction`
 * unless somebody means to `rewind`, and reach the store with `flush`, which may be called again and
 * again.
 */
export class WorldState {
  readonly #source: StateSource
  readonly #trie: Trie
  readonly #entries = new Map<Address, AccountEntry>()
  readonly #dirty = new Set<AccountEntry>()
  /** Accounts written in the transaction: they vanish at its end if they are empty (EIP-161). */
  #touched = new Set<AccountEntry>()
  readonly #undo: (() => void)[] = []
  readonly #checkpoints: number[] = []
  /** Where each transaction ended in `#undo`, as long as they may be taken back. */
  #ends: number[] | undefined
  #lineage: object = {}
  #changed = new Set<AccountEntry>()
  /** As of the last flush. */
  #root: Hash
  /** Since the last flush that came to its end. */
  #changes = noChanges()

  constructor(source: StateSource, root: Hash) {
    this.#source = source
    this.#root = root
    this.#trie = new Trie(source, root)
  }

  /** The entry of an account, whether it exists or not. */
  async entry(address: Address): Promise<AccountEntry> {
    return (
      this.#entries.get(address) ?? (await this.#resolve(() => this.#load(address), { address }))
    )
  }

  /** The same, without waiting. @throws NodeMissing when it has to be fetched */
  entryAtHand(address: Address): AccountEntry {
    return this.#entries.get(address) ?? this.#load(address)
  }

  /** The same, if it was read before. */
  known(address: Address): AccountEntry | undefined {
    return this.#entries.get(address)
  }

  /**
   * Told by identity: as long as it is the same, what somebody has read of this world holds, but for the
   * accounts that `takeChanged` names.
   */
  get lineage(): object {
    return this.#lineage
  }

  /** Whose nonce, balance or code was changed since it was asked last. */
  takeChanged(): Iterable<AccountEntry> {
    const changed = this.#changed
    if (changed.size > 0) this.#changed = new Set()
    return changed
  }

  update(entry: AccountEntry, fields: AccountFields): void {
    const { exists, nonce, balance } = entry
    this.#undo.push(() => {
      entry.exists = exists
      entry.nonce = nonce
      entry.balance = balance
    })
    entry.exists = fields.exists ?? true
    entry.nonce = fields.nonce ?? nonce
    entry.balance = fields.balance ?? balance
    this.#touch(entry)
  }

  async code(entry: AccountEntry): Promise<Uint8Array> {
    entry.code ??= await this.#resolve(() => this.#loadCode(entry.codeHash), entry)
    return entry.code
  }

  /** The same, without waiting. @throws NodeMissing when it has to be fetched */
  codeAtHand(entry: AccountEntry): Uint8Array {
    entry.code ??= this.#loadCode(entry.codeHash)
    return entry.code
  }

  setCode(entry: AccountEntry, code: Uint8Array): void {
    const { exists, codeHash, code: before } = entry
    this.#undo.push(() => Object.assign(entry, { exists, codeHash, code: before }))
    entry.exists = true
    entry.codeHash = code.length === 0 ? NO_CODE : keccak256(code)
    entry.code = code
    entry.codeIsNew = true
    this.#touch(entry)
  }

  async slot(entry: AccountEntry, slot: Hash): Promise<Uint8Array> {
    return (
      entry.storage.values.get(slot) ??
      (await this.#resolve(() => this.#loadSlot(entry, slot), {
        address: entry.address,
        slot,
      }))
    )
  }

  /** The same, without waiting. @throws NodeMissing when it has to be fetched */
  slotAtHand(entry: AccountEntry, slot: Hash): Uint8Array {
    return entry.storage.values.get(slot) ?? this.#loadSlot(entry, slot)
  }

  async setSlot(entry: AccountEntry, slot: Hash, value: Uint8Array): Promise<void> {
    await this.slot(entry, slot)
    this.setSlotAtHand(entry, slot, value)
    this.#lineage = {}
  }

  /** The same of a slot that was read before, for who knows of it: `lineage` stays. */
  setSlotAtHand(entry: AccountEntry, slot: Hash, value: Uint8Array): void {
    const before = this.slotAtHand(entry, slot)
    const { storage } = entry
    this.#undo.push(() => storage.values.set(slot, before))
    storage.values.set(slot, value)
    if (!storage.dirty.has(slot)) {
      storage.dirty.add(slot)
      storage.written.set(slot, before)
    }
    this.#dirty.add(entry)
  }

  clearStorage(entry: AccountEntry): void {
    const before = entry.storage
    this.#undo.push(() => {
      entry.storage = before
    })
    this.#dropStorage(entry)
    this.#dirty.add(entry)
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#undo.length)
  }

  commit(): void {
    this.#checkpoints.pop()
  }

  revert(): void {
    this.#undoTo(this.#checkpoints.pop() ?? 0)
  }

  /**
   * Makes the transaction's changes final and removes empty accounts.
   * @param destroyed contracts created and self-destructed in it (EIP-6780), all read before
   */
  endTransaction(destroyed: Iterable<Address> = []): void {
    for (const address of destroyed) this.#remove(this.entryAtHand(address))
    for (const entry of this.#touched) if (entry.exists && isEmpty(entry)) this.#remove(entry)
    this.settle()
  }

  /** Makes what was written from outside a transaction final: no revert goes behind it. */
  settle(): void {
    if (this.#ends) this.#ends.push(this.#undo.length)
    else this.#undo.length = 0
    this.#checkpoints.length = 0
    this.#forgetTransaction()
  }

  /** Takes back what has been written since a transaction last came to its end. */
  abandonTransaction(): void {
    this.#undoTo(this.#ends?.at(-1) ?? 0)
    this.#checkpoints.length = 0
    this.#forgetTransaction()
  }

  /** Lets the transactions that come be taken back; what they change is remembered for it. */
  allowRewind(): void {
    this.#ends = []
  }

  /** Takes back all transactions since `allowRewind` but so many. */
  rewind(count: number): void {
    const ends = this.#ends!
    this.#undoTo(ends[count - 1] ?? 0)
    ends.length = Math.min(count, ends.length)
    this.#checkpoints.length = 0
    this.#forgetTransaction()
  }

  /** Writes all changes into `store`. Returns the state root. */
  async flush(store: StateStore): Promise<Hash> {
    const put = (hash: Hash, value: Uint8Array) => store.put(hash, value)
    for (const entry of this.#dirty) {
      if (entry.exists) await this.#flushStorage(entry, put)
      if (entry.codeIsNew && entry.code?.length) put(bytesToHex(entry.codeHash), entry.code)
      entry.codeIsNew = false
      await this.#resolve(() => this.#flushAccount(entry), entry)
    }
    this.#dirty.clear()
    const root = this.#trie.commit(put)
    store.flat?.advance(this.#root, root, this.#changes)
    this.#root = root
    this.#changes = noChanges()
    return root
  }

  /** The storage root as of the last flush. */
  async storageRoot(address: Address): Promise<Hash> {
    const entry = await this.entry(address)
    return entry.exists ? entry.storage.root : EMPTY_TRIE_ROOT
  }

  /** Every account and slot read or written so far, but slots of contracts that are gone. */
  touched(): { address: Address; slots: Hash[] }[] {
    return [...this.#entries.values()].map(({ address, storage }) => ({
      address,
      slots: [...storage.values.keys()],
    }))
  }

  #load(address: Address): AccountEntry {
    const { account, encoded: written } = storedAccount(
      this.#source,
      this.#root,
      address,
      this.#trie,
    )
    const entry: AccountEntry = {
      address,
      bytes: undefined,
      exists: account !== undefined,
      nonce: account?.nonce ?? 0n,
      balance: account?.balance ?? 0n,
      codeHash: account ? hexToBytes(account.codeHash) : NO_CODE,
      code: undefined,
      codeIsNew: false,
      storage: newStorage(account?.storageRoot),
      written,
    }
    this.#entries.set(address, entry)
    return entry
  }

  #loadSlot({ address, storage }: AccountEntry, slot: Hash): Uint8Array {
    let value = EMPTY
    // Storage of an account that is new here is not what the state has under its address.
    if (storage.root !== EMPTY_TRIE_ROOT) {
      storage.trie ??= new Trie(this.#source, storage.root)
      const account = { address, storageRoot: storage.root }
      value = storedSlot(this.#source, this.#root, account, slot, storage.trie)
    }
    storage.values.set(slot, value)
    return value
  }

  #loadCode(codeHash: Uint8Array): Uint8Array {
    if (equalsBytes(codeHash, NO_CODE)) return EMPTY
    const hash = bytesToHex(codeHash)
    const code = this.#source.get(hash, 'code')
    if (!code) throw new NodeMissing(hash, 'code')
    return code
  }

  #undoTo(length: number): void {
    if (this.#undo.length > length) this.#lineage = {}
    while (this.#undo.length > length) this.#undo.pop()!()
  }

  /**
   * A new one, and not cleared: V8 links the table of a cleared one to the next, so that the first that grew
   * old keeps all that follow, and what was in them, until all memory is searched.
   */
  #forgetTransaction(): void {
    if (this.#touched.size > 0) this.#touched = new Set()
  }

  #touch(entry: AccountEntry): void {
    this.#dirty.add(entry)
    this.#changed.add(entry)
    if (this.#touched.has(entry)) return
    this.#touched.add(entry)
    this.#undo.push(() => this.#touched.delete(entry))
  }

  #remove(entry: AccountEntry): void {
    const { exists, nonce, balance, codeHash, code, storage } = entry
    const before = { exists, nonce, balance, codeHash, code, storage }
    this.#undo.push(() => Object.assign(entry, before))
    Object.assign(entry, { exists: false, nonce: 0n, balance: 0n, codeHash: NO_CODE, code: EMPTY })
    this.#dropStorage(entry)
    this.#dirty.add(entry)
    this.#changed.add(entry)
  }

  #dropStorage(entry: AccountEntry): void {
    const { root, values } = entry.storage
    if (root !== EMPTY_TRIE_ROOT) this.#changes.hasClearedStorage = true
    else if (values.size === 0) return
    this.#lineage = {}
    entry.storage = newStorage()
  }

  async #flushStorage(
    { address, storage }: AccountEntry,
    put: (hash: Hash, value: Uint8Array) => void,
  ) {
    if (storage.dirty.size === 0) return
    const changed = this.#changes.slots.get(address) ?? new Map<Hash, Uint8Array>()
    this.#changes.slots.set(address, changed)
    storage.trie ??= new Trie(this.#source, storage.root)
    const { trie } = storage
    for (const slot of storage.dirty) {
      const value = storage.values.get(slot)!
      if (equalsBytes(value, storage.written.get(slot)!)) continue
      changed.set(slot, value)
      await this.#resolve(
        () =>
          value.length === 0 && !this.#source.isFork
            ? trie.delete(hashedKey(slot))
            : trie.put(hashedKey(slot), encodeRlp(value)),
        { address, slot },
      )
    }
    storage.dirty.clear()
    storage.written.clear()
    storage.root = trie.commit(put)
    storage.rootBytes = undefined
  }

  #flushAccount(entry: AccountEntry): void {
    const { exists, nonce, balance, codeHash, storage } = entry
    const account = exists
      ? { nonce, balance, storageRoot: storage.root, codeHash: bytesToHex(codeHash) }
      : undefined
    const gone = this.#source.isFork && entry.written ? ACCOUNT_OF_NOTHING : undefined
    const encoded = account ? encodeAccount(account) : gone
    if (encoded && entry.written && equalsBytes(encoded, entry.written)) return
    this.#changes.accounts.set(entry.address, { account, encoded })
    if (encoded) this.#trie.put(hashedKey(entry.address), encoded)
    else if (entry.written) this.#trie.delete(hashedKey(entry.address))
    entry.written = encoded
  }

  /** Runs a read that may miss a node; fetches what it misses, if the source can. */
  async #resolve<T>(read: () => T, { address, slot }: StatePlace): Promise<T> {
    let missed: Hash | undefined
    for (;;) {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof NodeMissing) || !this.#source.fetch || error.hash === missed) {
          throw error
        }
        missed = error.hash
        await this.#source.fetch(error.hash, error.kind, { address, ...(slot && { slot }) })
      }
    }
  }
}

/** EIP-161: no nonce, no balance, no code. */
export function isEmpty(entry: AccountEntry): boolean {
  return entry.nonce === 0n && entry.balance === 0n && equalsBytes(entry.codeHash, NO_CODE)
}

/** 20 bytes. */
export function addressBytes(entry: AccountEntry): Uint8Array {
  entry.bytes ??= hexToBytes(entry.address)
  return entry.bytes
}

/** The storage root as of the last flush. */
export function storageRootBytes({ storage }: AccountEntry): Uint8Array {
  storage.rootBytes ??= hexToBytes(storage.root)
  return storage.rootBytes
}

function noChanges(): StateChanges {
  return { accounts: new Map(), slots: new Map(), hasClearedStorage: false }
}

function newStorage(root = EMPTY_TRIE_ROOT): AccountStorage {
  return {
    root,
    rootBytes: undefined,
    trie: undefined,
    values: new Map(),
    written: new Map(),
    dirty: new Set(),
  }
}
