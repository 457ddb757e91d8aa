import type { Hash } from '#protocol/types/bytes'
import type { StateSource, StateStore } from '#protocol/types/state'

/** Keeps what is written apart from the node's states, for as long as a simulation lasts. */
export class LayeredStore implements StateStore {
  readonly #below: StateSource
  readonly isFork: boolean
  readonly fetch?: StateSource['fetch'] & {}
  readonly #written = new Map<Hash, Uint8Array>()

  constructor(below: StateSource) {
    this.#below = below
    this.isFork = below.isFork ?? false
    if (below.fetch) this.fetch = below.fetch.bind(below)
  }

  get(hash: Hash, kind?: 'code'): Uint8Array | undefined {
    return this.#written.get(hash) ?? this.#below.get(hash, kind)
  }

  put(hash: Hash, value: Uint8Array): void {
    this.#written.set(hash, value)
  }
}
