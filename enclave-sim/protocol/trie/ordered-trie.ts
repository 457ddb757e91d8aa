import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { decodeRlp } from '../bytes/decode-rlp.ts'
import { EMPTY_TRIE_ROOT } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash } from '../types/bytes.ts'
import { hashOrderedTrie } from './hash-ordered-trie.ts'
import { fromNibbles, joinPaths, type Nibbles } from './nibbles.ts'
import { decodeNode, isHash, type Node } from './node.ts'

/**
 * Root of the trie rlp(index) → value: transactionsRoot, receiptsRoot, withdrawalsRoot of L1.
 * @example
 * orderedTrieRoot([]) // '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
 */
export function orderedTrieRoot(values: readonly Uint8Array[]): Hash {
  return hashOrderedTrie(values)
}

/** The same trie's root and every node of it, by hash. */
export function orderedTrieNodes(values: readonly Uint8Array[]): {
  root: Hash
  nodes: Map<Hash, Uint8Array>
} {
  const nodes = new Map<Hash, Uint8Array>()
  const root = hashOrderedTrie(values, (hash, node) => nodes.set(bytesToHex(hash), node))
  return { root, nodes }
}

/**
 * Reads back all values of an ordered trie, in order.
 * @param get resolves a node by hash; its rejection is passed on. It must have checked the hash.
 * @throws RollbedError ORDERED_TRIE_MALFORMED when the keys are not 0, 1, 2 …
 */
export async function readOrderedTrie(
  root: Hash,
  get: (hash: Hash) => Promise<Uint8Array>,
): Promise<Uint8Array[]> {
  if (root === EMPTY_TRIE_ROOT) return []
  const values: Uint8Array[] = []
  let count = 0
  const visit = async (node: Node, path: Nibbles): Promise<void> => {
    if (node.kind === 'leaf') {
      values[toIndex(joinPaths(path, node.path))] = node.value
      count++
      return
    }
    const children: [Nibbles, Node | Uint8Array][] =
      node.kind === 'extension'
        ? [[node.path, node.child]]
        : node.children.flatMap((child, i): [Nibbles, Node | Uint8Array][] =>
            child ? [[Uint8Array.of(i), child]] : [],
          )
    for (const [step, child] of children) {
      const next = isHash(child) ? decodeNode(await get(bytesToHex(child))) : child
      await visit(next, joinPaths(path, step))
    }
  }
  await visit(decodeNode(await get(root)), new Uint8Array(0))
  if (values.length !== count) throw malformed(`${count} values, the last at ${values.length - 1}`)
  return values
}

/** Keys are rlp(index): of five bytes at most. */
function toIndex(path: Nibbles): number {
  if (path.length % 2 === 1 || path.length > 10) throw malformed('a key is not an index')
  try {
    return Number(bytesToBigInt(decodeRlp(fromNibbles(path), 0) as Uint8Array))
  } catch {
    throw malformed('a key is not an index')
  }
}

function malformed(reason: string): RollbedError {
  return new RollbedError('ORDERED_TRIE_MALFORMED', `This is not a list in a trie: ${reason}.`)
}
