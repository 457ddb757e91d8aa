import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { encodeRlp, encodeRlpForNow } from '../bytes/encode-rlp.ts'
import { EMPTY_TRIE_ROOT, keccak256 } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import { encodePath, type Nibbles, toNibbles } from './nibbles.ts'
import type { Reference } from './node.ts'

const NOTHING = new Uint8Array(0)
/** Up to it an index is its own code. */
const ONE_BYTE = 0x7f
/** Paths of indices, which every block has the same. */
const paths: Nibbles[] = []

type Emit = (hash: Uint8Array, encoded: Uint8Array) => void

/**
 * The root of the trie rlp(index) → value. All values are there at once, in the order of their keys, so
 * that each node is hashed as soon as what is below it is: no trie is built.
 *
 * @param emit is given every node that others hold by its hash, and the root
 */
export function hashOrderedTrie(values: readonly Uint8Array[], emit?: Emit): Hash {
  if (values.length === 0) return EMPTY_TRIE_ROOT
  const root = new OrderedTrieHasher(values, emit).node(0, values.length, 0)
  if (root instanceof Uint8Array) return bytesToHex(root)
  const encoded = encodeRlp(root)
  const hash = keccak256(encoded)
  emit?.(hash, encoded)
  return bytesToHex(hash)
}

/** Where a value stands in such a trie: rlp(index). */
export function indexKey(index: number): Uint8Array {
  return encodeRlp(BigInt(index))
}

class OrderedTrieHasher {
  readonly #values: readonly Uint8Array[]
  readonly #emit: Emit | undefined
  /** 0 is coded as 0x80, so it stands behind those that are their own code. */
  readonly #zeroAt: number

  constructor(values: readonly Uint8Array[], emit: Emit | undefined) {
    this.#values = values
    this.#emit = emit
    this.#zeroAt = Math.min(values.length - 1, ONE_BYTE)
  }

  /** Of the values from one place in the order of keys to before another, whose paths are the same up to `depth`. */
  node(from: number, to: number, depth: number): Reference {
    const first = this.#path(from)
    if (to - from === 1) {
      return this.#hashed([encodePath(first, true, depth), this.#values[this.#index(from)]!])
    }
    const last = this.#path(to - 1)
    let shared = depth
    while (first[shared] === last[shared]) shared++
    const branch = this.#branch(from, to, shared)
    return shared === depth
      ? branch
      : this.#hashed([encodePath(first, false, depth, shared), branch])
  }

  #branch(from: number, to: number, depth: number): Reference {
    const children: Reference[] = new Array(17).fill(NOTHING)
    for (let start = from; start < to; ) {
      const nibble = this.#path(start)[depth]!
      let end = start + 1
      while (end < to && this.#path(end)[depth] === nibble) end++
      children[nibble] = this.node(start, end, depth + 1)
      start = end
    }
    return this.#hashed(children)
  }

  #hashed(list: Reference[]): Reference {
    const encoded = this.#emit ? encodeRlp(list) : encodeRlpForNow(list)
    if (encoded.length < 32) return list
    const hash = keccak256(encoded)
    this.#emit?.(hash, encoded)
    return hash
  }

  #index(place: number): number {
    if (place < this.#zeroAt) return place + 1
    return place === this.#zeroAt ? 0 : place
  }

  #path(place: number): Nibbles {
    const index = this.#index(place)
    paths[index] ??= toNibbles(indexKey(index))
    return paths[index]
  }
}
