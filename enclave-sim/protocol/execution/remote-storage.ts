import { encodeRlp } from '../bytes/encode-rlp.ts'
import { MemoryStore } from '../trie/memory-store.ts'
import { Trie } from '../trie/trie.ts'
import type { Hash } from '../types/bytes.ts'

/** No slot has this key: nobody knows what hashes to zero. */
const MARK = new Uint8Array(32)

const store = new MemoryStore()
const trie = new Trie(store)
trie.put(MARK, encodeRlp(Uint8Array.of(1)))

/**
 * The storage of an account of the chain that was forked, as long as nothing is written to it: a trie
 * that holds a mark. Where the mark is, slots that the trie does not have are the other chain's.
 */
export const REMOTE_STORAGE_ROOT: Hash = trie.commit((hash, node) => store.put(hash, node))
/** The only node of that trie. */
export const REMOTE_STORAGE_NODE: Uint8Array = store.get(REMOTE_STORAGE_ROOT)!

/** @throws NodeMissing */
export function isRemoteStorage(storage: Trie): boolean {
  return storage.get(MARK) !== undefined
}
