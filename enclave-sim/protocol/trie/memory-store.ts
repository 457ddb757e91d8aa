import type { Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import { TrieRoots } from './trie-roots.ts'

/**
 * A state store in memory; it keeps every state ever written, so every root stays readable.
 * @example
 * const store = new MemoryStore()
 * const stateRoot = await writeAlloc(store, alloc)
 */
export class MemoryStore implements StateStore {
  readonly roots = new TrieRoots()
  readonly #values = new Map<Hash, Uint8Array>()

  get(hash: Hash): Uint8Array | undefined {
    return this.#values.get(hash)
  }

  put(hash: Hash, value: Uint8Array): void {
    this.#values.set(hash, value)
  }

  /** Number of values held. */
  get size(): number {
    return this.#values.size
  }
}
