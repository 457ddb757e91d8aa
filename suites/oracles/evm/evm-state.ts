import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address, bytesToHex, unpadBytes } from '@ethereumjs/util'
import {
  type AccountEntry,
  storageRootBytes,
  type WorldState,
} from '#protocol/execution/world-state'

/**
 * A WorldState as @ethereumjs/evm wants to see it. The EVM keeps one of these for life; `world` is
 * exchanged under it for each block or call.
 */
export class EvmState implements StateManagerInterface {
  world!: WorldState

  /** What slots had before the transaction has written to them first (EIP-2200). */
  readonly #original = new Map<string, Uint8Array>()

  /** To be cleared before each transaction. */
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array) =>
      this.#original.get(placeOf(address, key)) ?? (await this.getStorage(address, key)),
    clear: () => this.#original.clear(),
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const entry = await this.#entry(address)
    if (!entry.exists) return undefined
    return new Account(entry.nonce, entry.balance, storageRootBytes(entry), entry.codeHash)
  }

  /** Code and storage have their own methods; the EVM never changes them through an account. */
  async putAccount(address: Address, account?: Account): Promise<void> {
    if (!account) return this.deleteAccount(address)
    const { nonce, balance } = account
    this.world.update(await this.#entry(address), { nonce, balance })
  }

  async deleteAccount(address: Address): Promise<void> {
    const entry = await this.#entry(address)
    this.world.update(entry, { exists: false, nonce: 0n, balance: 0n })
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const entry = await this.#entry(address)
    const { nonce = entry.nonce, balance = entry.balance } = fields
    this.world.update(entry, { nonce, balance })
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.world.setCode(await this.#entry(address), code)
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.world.code(await this.#entry(address))
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const entry = await this.#entry(address)
    const slot = bytesToHex(key)
    return toWord(entry.storage.values.get(slot) ?? (await this.world.slot(entry, slot)))
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const place = placeOf(address, key)
    if (!this.#original.has(place)) this.#original.set(place, await this.getStorage(address, key))
    await this.world.setSlot(await this.#entry(address), bytesToHex(key), unpadBytes(value))
  }

  async clearStorage(address: Address): Promise<void> {
    this.world.clearStorage(await this.#entry(address))
  }

  async checkpoint(): Promise<void> {
    this.world.checkpoint()
  }

  async commit(): Promise<void> {
    this.world.commit()
  }

  async revert(): Promise<void> {
    this.world.revert()
  }

  clearCaches(): void {}

  /** Roots are the executor's business; the EVM asks for none of the following. */
  async getStateRoot(): Promise<Uint8Array> {
    throw new Error('The EVM has no state root.')
  }

  async setStateRoot(): Promise<void> {
    throw new Error('The EVM has no state root.')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }

  shallowCopy(): StateManagerInterface {
    throw new Error('The state of an open block cannot be copied.')
  }

  #entry(address: Address): AccountEntry | Promise<AccountEntry> {
    const key = bytesToHex(address.bytes)
    return this.world.known(key) ?? this.world.entry(key)
  }
}

function placeOf(address: Address, key: Uint8Array): string {
  return `${address} ${bytesToHex(key)}`
}

/** 32 bytes of what is not zero: the EVM pads values again and again, and slower. */
function toWord(value: Uint8Array): Uint8Array {
  if (value.length === 0) return value
  const word = new Uint8Array(32)
  word.set(value, 32 - value.length)
  return word
}
