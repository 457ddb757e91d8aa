import { TrieRoots } from '#protocol/trie/trie-roots'
import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import { stateUnavailable } from '../../state/pruned-history.ts'

/**
 * A worker's view of the state: trie nodes and code by hash, fetched from the thread that holds them
 * when first needed. What is addressed by its content never goes stale, so it is kept as long as it
 * is of use: at most twice `capacity` values, the ones read lately.
 */
export class RemoteState implements StateStore {
  readonly roots = new TrieRoots()
  readonly isFork: boolean
  readonly #ask: (hash: Hash) => Promise<Uint8Array | undefined>
  readonly #capacity: number
  #recent = new Map<Hash, Uint8Array>()
  #older = new Map<Hash, Uint8Array>()

  constructor(
    ask: (hash: Hash) => Promise<Uint8Array | undefined>,
    { capacity = 50_000, isFork = false } = {},
  ) {
    this.#ask = ask
    this.#capacity = capacity
    this.isFork = isFork
  }

  get(hash: Hash): Uint8Array | undefined {
    const recent = this.#recent.get(hash)
    if (recent) return recent
    const older = this.#older.get(hash)
    if (older) this.put(hash, older)
    return older
  }

  put(hash: Hash, value: Uint8Array): void {
    if (this.#recent.size >= this.#capacity) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(hash, value)
  }

  /** @throws JsonRpcError -32000 when nobody has it any more */
  async fetch(hash: Hash): Promise<void> {
    const value = await this.#ask(hash)
    if (!value) throw stateUnavailable()
    this.put(hash, value)
  }
}
