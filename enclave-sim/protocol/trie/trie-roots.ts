import type { Hash } from '../types/bytes.ts'
import type { StateSource } from '../types/state.ts'
import type { Node } from './node.ts'

/** A source that may keep decoded nodes for the tries that read it. */
export interface TrieSource extends StateSource {
  readonly roots?: TrieRoots
}

/** Decoded nodes are large: a branch takes about 2 kB. */
const MAX_NODES = 30_000
/** Roots alone are few nodes each, but every state has one, and every account with storage. */
const MAX_ROOTS = 10_000

/**
 * Decoded roots of tries by their hash, and with them all nodes that were read below. Nodes are never
 * changed, so that tries share them: what one has read no other decodes again, and a trie of the next
 * state is new only where it differs.
 *
 * What is kept is bounded: beyond a number of nodes all is forgotten, and read again when needed.
 */
export class TrieRoots {
  readonly #maxNodes: number
  readonly #roots = new Map<Hash, Node>()
  #nodes = 0
  #epoch = 0

  constructor(maxNodes = MAX_NODES) {
    this.#maxNodes = maxNodes
  }

  get(root: Hash): Node | undefined {
    return this.#roots.get(root)
  }

  /** Changes whenever all is forgotten. */
  get epoch(): number {
    return this.#epoch
  }

  /** @param epoch in which the trie began: an older one still holds what was forgotten */
  set(root: Hash, node: Node, epoch: number): void {
    if (epoch !== this.#epoch) return
    if (this.#nodes > this.#maxNodes || this.#roots.size >= MAX_ROOTS) {
      this.#roots.clear()
      this.#nodes = 0
      this.#epoch++
      return
    }
    this.#roots.set(root, node)
  }

  /** A node was decoded or made below one of the roots. */
  count(): void {
    this.#nodes++
  }
}
