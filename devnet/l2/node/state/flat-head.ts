import type { Address, Hash } from '#protocol/types/bytes'
import type { FlatState, StateChanges, StoredAccount } from '#protocol/types/flat-state'

/** A value from one version on, until the next newer cell of its key. */
interface Cell<T> {
  value: T
  since: number
  older: Cell<T> | undefined
}

type Cells<K, T> = Map<K, Cell<T>>

interface Version {
  stateRoot: Hash
  accounts: Address[]
  slots: [Address, Hash[]][]
}

/** States that can be told apart: a block's ten flashblocks, and some blocks. */
const MAX_VERSIONS = 64
/** Values kept, accounts and slots together; 30 MB or so. */
const MAX_VALUES = 100_000

/**
 * The newest states of the chain without their tries: each value stands once, and once more for each
 * state that changed it, so that a flashblock costs what it changes and every snapshot of the last
 * blocks stays readable. States that are not in the line of the head are not here.
 */
export class FlatHead implements FlatState {
  readonly #maxValues: number
  /** In order; the first is the oldest that can be read. */
  readonly #versions: Version[] = []
  readonly #numbers = new Map<Hash, number>()
  readonly #accounts: Cells<Address, StoredAccount> = new Map()
  readonly #slots = new Map<Address, Cells<Hash, Uint8Array>>()
  #oldest = 0
  #values = 0

  constructor(maxValues = MAX_VALUES) {
    this.#maxValues = maxValues
  }

  account(stateRoot: Hash, address: Address): StoredAccount | undefined {
    return valueAt(this.#accounts.get(address), this.#numbers.get(stateRoot))
  }

  slot(stateRoot: Hash, address: Address, slot: Hash): Uint8Array | undefined {
    return valueAt(this.#slots.get(address)?.get(slot), this.#numbers.get(stateRoot))
  }

  keepAccount(stateRoot: Hash, address: Address, account: StoredAccount): void {
    if (!this.#hasRoom(stateRoot)) return
    this.#keep(this.#accounts, address, account, stateRoot)
  }

  keepSlot(stateRoot: Hash, address: Address, slot: Hash, value: Uint8Array): void {
    if (!this.#hasRoom(stateRoot)) return
    this.#keep(this.#slotsOf(address), slot, value, stateRoot)
  }

  advance(from: Hash, to: Hash, changes: StateChanges): void {
    if (from === to) return
    const number = this.#numbers.get(from)
    if (number === undefined || changes.hasClearedStorage || this.#values > this.#maxValues) {
      this.#restart(to)
      return
    }
    while (this.#newest > number) this.#undo()
    const since = this.#newest + 1
    const slots: [Address, Hash[]][] = []
    for (const [address, values] of changes.slots) {
      const cells = this.#slotsOf(address)
      for (const [slot, value] of values) this.#add(cells, slot, value, since)
      slots.push([address, [...values.keys()]])
    }
    for (const [address, account] of changes.accounts) {
      this.#add(this.#accounts, address, account, since)
    }
    this.#versions.push({ stateRoot: to, accounts: [...changes.accounts.keys()], slots })
    this.#numbers.set(to, since)
    if (this.#versions.length > MAX_VERSIONS) this.#forgetOldest()
  }

  get #newest(): number {
    return this.#oldest + this.#versions.length - 1
  }

  /** Only a state in the line of the head takes part. The first one that is read begins the line. */
  #hasRoom(stateRoot: Hash): boolean {
    if (this.#versions.length === 0) this.#restart(stateRoot)
    if (!this.#numbers.has(stateRoot)) return false
    if (this.#values > this.#maxValues) this.#restart(this.#versions.at(-1)!.stateRoot)
    return this.#numbers.has(stateRoot)
  }

  #slotsOf(address: Address): Cells<Hash, Uint8Array> {
    const cells = this.#slots.get(address) ?? new Map()
    this.#slots.set(address, cells)
    return cells
  }

  #add<K, T>(cells: Cells<K, T>, key: K, value: T, since: number): void {
    cells.set(key, { value, since, older: cells.get(key) })
    this.#values++
  }

  /** What was read at a state has been so since the oldest, for no newer cell says otherwise. */
  #keep<K, T>(cells: Cells<K, T>, key: K, value: T, stateRoot: Hash): void {
    const number = this.#numbers.get(stateRoot)!
    let cell = cells.get(key)
    if (!cell) {
      cells.set(key, { value, since: this.#oldest, older: undefined })
    } else {
      while (cell.older) cell = cell.older
      if (cell.since <= number) return
      cell.older = { value, since: this.#oldest, older: undefined }
    }
    this.#values++
  }

  /** Takes the newest version back. */
  #undo(): void {
    const { stateRoot, accounts, slots } = this.#versions.pop()!
    this.#numbers.delete(stateRoot)
    for (const address of accounts) this.#remove(this.#accounts, address)
    for (const [address, keys] of slots) {
      const cells = this.#slotsOf(address)
      for (const slot of keys) this.#remove(cells, slot)
    }
  }

  #remove<K, T>(cells: Cells<K, T>, key: K): void {
    const { older } = cells.get(key)!
    if (older) cells.set(key, older)
    else cells.delete(key)
    this.#values--
  }

  /** The second oldest becomes the oldest: nobody looks behind what it changed. */
  #forgetOldest(): void {
    const forgotten = this.#versions.shift()!
    if (this.#numbers.get(forgotten.stateRoot) === this.#oldest) {
      this.#numbers.delete(forgotten.stateRoot)
    }
    this.#oldest++
    const { accounts, slots } = this.#versions[0]!
    for (const address of accounts) this.#cut(this.#accounts.get(address))
    for (const [address, keys] of slots) {
      const cells = this.#slotsOf(address)
      for (const slot of keys) this.#cut(cells.get(slot))
    }
  }

  #cut<T>(newest: Cell<T> | undefined): void {
    let cell = newest
    while (cell && cell.since > this.#oldest) cell = cell.older
    if (!cell) return
    for (let { older } = cell; older; older = older.older) this.#values--
    cell.older = undefined
  }

  #restart(stateRoot: Hash): void {
    this.#versions.splice(0, this.#versions.length, { stateRoot, accounts: [], slots: [] })
    this.#numbers.clear()
    this.#numbers.set(stateRoot, this.#oldest)
    this.#accounts.clear()
    this.#slots.clear()
    this.#values = 0
  }
}

function valueAt<T>(newest: Cell<T> | undefined, number: number | undefined): T | undefined {
  if (number === undefined) return undefined
  let cell = newest
  while (cell && cell.since > number) cell = cell.older
  return cell?.value
}
