import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { EMPTY_TRIE_ROOT } from '../crypto/keccak.ts'
import type { EngineAccount, EngineHost } from '../evm/engine-host.ts'
import { NodeMissing } from '../trie/node-missing.ts'
import type { WorldState } from './world-state.ts'

/** Lets the engine read a WorldState; what the world has to fetch first is not at hand. */
export class WorldHost implements EngineHost {
  readonly #world: WorldState

  constructor(world: WorldState) {
    this.#world = world
  }

  account(address: Uint8Array): EngineAccount | undefined {
    return atHand(() => {
      const { nonce, balance, codeHash, storage } = this.#world.entryAtHand(bytesToHex(address))
      return { nonce, balance, codeHash, hasStorage: storage.root !== EMPTY_TRIE_ROOT }
    })
  }

  slot(address: Uint8Array, key: Uint8Array): Uint8Array | undefined {
    return atHand(() => {
      const entry = this.#world.entryAtHand(bytesToHex(address))
      return this.#world.slotAtHand(entry, bytesToHex(key))
    })
  }

  code(address: Uint8Array): Uint8Array | undefined {
    return atHand(() => this.#world.codeAtHand(this.#world.entryAtHand(bytesToHex(address))))
  }
}

function atHand<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NodeMissing) return undefined
    throw error
  }
}
