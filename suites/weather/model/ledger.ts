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
}

/** What everybody has at one moment. It never changes: what comes after is another. */
export class Ledger {
  readonly #accounts: ReadonlyMap<string, Account>

  constructor(accounts: Iterable<readonly [Hex, Account]>) {
    this.#accounts = new Map([...accounts].map(([address, account]) => [keyOf(address), account]))
  }

  of(address: Hex): Account {
    return this.#accounts.get(keyOf(address)) ?? { balance: 0n, nonce: 0 }
  }

  after(changes: readonly Change[]): Ledger {
    const accounts = new Map(this.#accounts as ReadonlyMap<Hex, Account>)
    for (const { address, wei = 0n, nonces = 0 } of changes) {
      const key = keyOf(address)
      const { balance, nonce } = accounts.get(key) ?? this.of(address)
      accounts.set(key, { balance: balance + wei, nonce: nonce + nonces })
    }
    return new Ledger(accounts)
  }
}

const keyOf = (address: Hex) => address.toLowerCase() as Hex
