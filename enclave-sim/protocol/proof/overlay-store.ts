import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import { TrieRoots, type TrieSource } from '../trie/trie-roots.ts'
import type { Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'

/**
 * State of a range of blocks: what earlier blocks of the range wrote, before what the oracle has.
 * A node made by block N serves block N + 1 without being asked for, so it is never in a witness.
 */
export function overlayStore(oracle: PreimageOracle): StateStore & TrieSource {
  const written = new Map<Hash, Uint8Array>()
  return {
    roots: new TrieRoots(),
    get: (hash) => written.get(hash) ?? oracle.peek(hash),
    put: (hash, value) => void written.set(hash, value),
    async fetch(hash, kind, place) {
      const type = kind === 'code' ? 'l2-code' : 'l2-state-node'
      await oracle.keccak(hash, { type, data: hexToBytes(hash), ...(place && { place }) })
    },
  }
}
