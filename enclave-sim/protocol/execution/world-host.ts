import { EMPTY_TRIE_ROOT } from '../crypto/keccak.ts'
import type { EngineAccount, EngineHost } from '../evm/engine-host.ts'
import { NodeMissing } from '../trie/node-missing.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { WorldState } from './world-state.ts'

/** Lets the engine read a WorldState; what the world has to fetch first is not at hand. */
export class WorldHost implements EngineHost {
  readonly #world: WorldState

  constructor(world: WorldState) {
    this.#world = world
  }

  account(address: Address): EngineAccount | undefined {
    return atHand(() => {
      const { nonce, balance, codeHash, storage } = this.#world.entryAtHand(address)
      return { nonce, balance, codeHash, hasStorage: storage.root !== EMPTY_TRIE_ROOT }
    })
  }

  slot(address: Address, key: Hash): Uint8Array | undefined {
    return atHand(() => this.#world.slotAtHand(this.#world.entryAtHand(address), key))
  }

  code(address: Address): Uint8Array | undefined {
    return atHand(() => this.#world.codeAtHand(this.#world.entryAtHand(address)))
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
