import { setLengthLeft } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { withoutLeadingZeros } from '../bytes/without-leading-zeros.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { StateEditor } from './executor.ts'
import type { WorldState } from './world-state.ts'

/** Reads and changes single values of a world state, between two transactions. */
export class WorldEditor implements StateEditor {
  readonly #world: WorldState

  constructor(world: WorldState) {
    this.#world = world
  }

  async getBalance(address: Address): Promise<bigint> {
    return (await this.#world.entry(address)).balance
  }

  async getNonce(address: Address): Promise<bigint> {
    return (await this.#world.entry(address)).nonce
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#world.code(await this.#world.entry(address))
  }

  async getStorage(address: Address, slot: Hash): Promise<Hash> {
    const value = await this.#world.slot(await this.#world.entry(address), slot)
    return bytesToHex(setLengthLeft(value, 32))
  }

  async setBalance(address: Address, balance: bigint): Promise<void> {
    this.#world.update(await this.#world.entry(address), { balance })
    this.#world.settle()
  }

  async setNonce(address: Address, nonce: bigint): Promise<void> {
    this.#world.update(await this.#world.entry(address), { nonce })
    this.#world.settle()
  }

  async setCode(address: Address, code: Uint8Array): Promise<void> {
    this.#world.setCode(await this.#world.entry(address), code)
    this.#world.settle()
  }

  async setStorage(address: Address, slot: Hash, value: Hash): Promise<void> {
    const entry = await this.#world.entry(address)
    await this.#world.setSlot(entry, slot, withoutLeadingZeros(hexToBytes(value)))
    this.#world.update(entry, {})
    this.#world.settle()
  }

  async clearStorage(address: Address): Promise<void> {
    this.#world.clearStorage(await this.#world.entry(address))
    this.#world.settle()
  }
}
