import type { Hex } from 'viem'

/** What an account has. */
export interface Account {
  /** Wei. */
  balance: bigint
  nonce: number
}

export interface Change {
  address: Hex
  /** To be added. */
  wei?: bigint
  /** By how many transactions it goes on. */
  nonces?: number
  /** What it keeps from now on, by slot. */
  slots?: readonly (readonly [slot: bigint, value: bigint])[]
  /** It has code from now on. */
  isContract?: boolean
}

/** What everybody has at one moment. It never changes: what comes after is another. */
export class Ledger {
  readonly #accounts: ReadonlyMap<string, Account>
  readonly #slots: ReadonlyMap<string, bigint>
  readonly #contracts: ReadonlySet<string>

  constructor(
    accounts: Iterable<readonly [Hex, Account]>,
    slots: ReadonlyMap<string, bigint> = new Map(),
    contracts: ReadonlySet<string> = new Set(),
  ) {
    this.#accounts = new Map([...accounts].map(([address, account]) => [keyOf(address), account]))
    this.#slots = slots
    this.#contracts = contracts
  }

  of(address: Hex): Account {
    return this.#accounts.get(keyOf(address)) ?? { balance: 0n, nonce: 0 }
  }

  /** undefined: nothing that the ledger saw has written it. */
  slot(address: Hex, slot: bigint): bigint | undefined {
    return this.#slots.get(slotKey(address, slot))
  }

  /** All that the ledger saw an account write. */
  slotsOf(address: Hex): (readonly [slot: bigint, value: bigint])[] {
    const own = `${keyOf(address)} `
    return [...this.#slots]
      .filter(([key]) => key.startsWith(own))
      .map(([key, value]) => [BigInt(key.slice(own.length)), value] as const)
  }

  /** Whether it was created by a transaction. */
  isContract(address: Hex): boolean {
    return this.#contracts.has(keyOf(address))
  }

  after(changes: readonly Change[]): Ledger {
    const accounts = new Map(this.#accounts as ReadonlyMap<Hex, Account>)
    for (const { address, wei = 0n, nonces = 0 } of changes) {
      const key = keyOf(address)
      const { balance, nonce } = accounts.get(key) ?? this.of(address)
      accounts.set(key, { balance: balance + wei, nonce: nonce + nonces })
    }
    const written = changes.flatMap(({ address, slots = [] }) =>
      slots.map(([slot, value]) => [slotKey(address, slot), value] as const),
    )
    const created = changes.flatMap(({ address, isContract }) => (isContract ? keyOf(address) : []))
    return new Ledger(
      accounts,
      written.length > 0 ? new Map([...this.#slots, ...written]) : this.#slots,
      created.length > 0 ? new Set([...this.#contracts, ...created]) : this.#contracts,
    )
  }
}

const keyOf = (address: Hex) => address.toLowerCase() as Hex
const slotKey = (address: Hex, slot: bigint) => `${keyOf(address)} ${slot}`
