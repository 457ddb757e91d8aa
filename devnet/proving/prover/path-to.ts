import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { commonPrefixLength, joinPaths, type Nibbles, toNibbles } from '#protocol/trie/nibbles'
import { type Child, decodeNode, isHash, type Node } from '#protocol/trie/node'
import type { Hash } from '#protocol/types/bytes'

/**
 * Where a node stands that the nodes of a proof point to, on the way to the proven key or beside it.
 * @param proof encoded nodes, root first
 * @param key of the proof, 32 bytes
 * @returns half-bytes from the root; undefined when no node of the proof points to it
 */
export function pathTo(
  hash: Hash,
  proof: readonly Uint8Array[],
  key: Uint8Array,
): Nibbles | undefined {
  const path = toNibbles(key)
  const isWanted = (child: Child) => child !== null && isHash(child) && bytesToHex(child) === hash
  const rest = [...proof]
  let at = 0
  for (let child: Child | undefined; ; ) {
    const encoded = child && !isHash(child) ? undefined : rest.shift()
    const node = encoded ? decoded(encoded) : child
    if (!node || isHash(node) || node.kind === 'leaf') return undefined
    const here = path.subarray(0, at)
    if (node.kind === 'branch') {
      const index = node.children.findIndex(isWanted)
      if (index >= 0) return joinPaths(here, Uint8Array.of(index))
      child = node.children[path[at++]!]
    } else {
      if (isWanted(node.child)) return joinPaths(here, node.path)
      if (commonPrefixLength(node.path, path.subarray(at)) < node.path.length) return undefined
      at += node.path.length
      child = node.child
    }
    if (!child) return undefined
  }
}

function decoded(encoded: Uint8Array): Node | undefined {
  try {
    return decodeNode(encoded)
  } catch (error) {
    if (error instanceof RollbedError) return undefined
    throw error
  }
}
