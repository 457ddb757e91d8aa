import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { EMPTY_TRIE_ROOT, keccak256 } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import { commonPrefixLength, joinPaths, type Nibbles, toNibbles } from './nibbles.ts'
import {
  type BranchNode,
  type Child,
  decodeNode,
  type ExtensionNode,
  isHash,
  type LeafNode,
  type Node,
  nodeList,
  nodeReference,
} from './node.ts'
import { NodeMissing } from './node-missing.ts'
import type { TrieSource } from './trie-roots.ts'

/**
 * A synchronous Merkle-Patricia trie over content-addressed nodes. Keys are taken as they are: state
 * and storage tries pass keccak-256 of address or slot (a "secure" trie). No key may be a prefix of
 * another. Nodes once read stay in memory, so committing again and again costs only the paths that
 * changed; where the source keeps roots, they also serve the next trie that begins at one of them.
 *
 * Every operation that needs a node the source does not have throws NodeMissing *before* it changes
 * anything; fetch that node and repeat.
 */
export class Trie {
  readonly #source: TrieSource
  readonly #epoch: number
  #root: Child

  constructor(source: TrieSource, root: Hash = EMPTY_TRIE_ROOT) {
    this.#source = source
    this.#epoch = source.roots?.epoch ?? 0
    this.#root = root === EMPTY_TRIE_ROOT ? null : (source.roots?.get(root) ?? hexToBytes(root))
  }

  /** The value of a key, or undefined. */
  get(key: Uint8Array): Uint8Array | undefined {
    const path = toNibbles(key)
    let node = this.#loadRoot()
    let at = 0
    while (node) {
      if (node.kind === 'branch') {
        node = this.#loadChild(node, path[at++]!)
        continue
      }
      if (!startsWith(path, node.path, at)) return undefined
      at += node.path.length
      if (node.kind === 'leaf') return node.value
      node = this.#loadExtended(node)
    }
    return undefined
  }

  /** Sets a key to a non-empty value. */
  put(key: Uint8Array, value: Uint8Array): void {
    this.#root = this.#put(this.#loadRoot(), toNibbles(key), value)
  }

  /** Removes a key, if it is there, leaving the canonical trie of what remains. */
  delete(key: Uint8Array): void {
    this.#root = this.#delete(this.#loadRoot(), toNibbles(key))
  }

  /** The root of what the trie holds now; writes every new node to `sink`. */
  commit(sink?: (hash: Hash, node: Uint8Array) => void): Hash {
    if (this.#root === null) return EMPTY_TRIE_ROOT
    if (isHash(this.#root)) return bytesToHex(this.#root)
    const { roots } = this.#source
    const emit =
      sink &&
      ((hash: Uint8Array, node: Uint8Array) => {
        roots?.count()
        sink(bytesToHex(hash), node)
      })
    const reference = nodeReference(this.#root, emit)
    if (reference instanceof Uint8Array) {
      const hash = bytesToHex(reference)
      if (sink) roots?.set(hash, this.#root, this.#epoch)
      return hash
    }
    const encoded = encodeRlp(reference)
    const hash = bytesToHex(keccak256(encoded))
    sink?.(hash, encoded)
    return hash
  }

  /** The encoded nodes on the way to a key, root first: the proof eth_getProof gives (EIP-1186). */
  prove(key: Uint8Array): Uint8Array[] {
    const path = toNibbles(key)
    const proof: Uint8Array[] = []
    let node = this.#loadRoot()
    let at = 0
    while (node) {
      const encoded = encodeRlp(nodeList(node))
      if (proof.length === 0 || encoded.length >= 32) proof.push(encoded)
      if (node.kind === 'branch') {
        node = this.#loadChild(node, path[at++]!)
        continue
      }
      if (node.kind === 'leaf' || !startsWith(path, node.path, at)) break
      at += node.path.length
      node = this.#loadExtended(node)
    }
    return proof
  }

  #put(node: Node | null, path: Nibbles, value: Uint8Array): Node {
    if (node === null) return { kind: 'leaf', path, value }
    if (node.kind === 'branch') {
      const index = path[0]!
      const child = this.#put(this.#loadChild(node, index), path.subarray(1), value)
      return withChild(node, index, child)
    }
    const shared = commonPrefixLength(node.path, path)
    if (shared === node.path.length) {
      if (node.kind === 'leaf') return { kind: 'leaf', path: node.path, value }
      const child = this.#put(this.#loadExtended(node), path.subarray(shared), value)
      return { kind: 'extension', path: node.path, child }
    }
    return split(node, shared, path, value)
  }

  #delete(node: Node | null, path: Nibbles): Node | null {
    if (node === null) return null
    if (node.kind === 'leaf') {
      return node.path.length === path.length && startsWith(path, node.path, 0) ? null : node
    }
    if (node.kind === 'extension') {
      if (!startsWith(path, node.path, 0)) return node
      const child = this.#delete(this.#loadExtended(node), path.subarray(node.path.length))
      return child === null ? null : extend(node, child)
    }
    const index = path[0]!
    const before = this.#loadChild(node, index)
    if (before === null) return node
    const after = this.#delete(before, path.subarray(1))
    if (after === null) {
      const others = node.children.flatMap((child, i) => (child && i !== index ? [i] : []))
      if (others.length === 1) {
        // The last sibling takes the branch's place; it is read before anything changes.
        const last = others[0]!
        return prepend(Uint8Array.of(last), this.#loadChild(node, last)!)
      }
    }
    if (after === before && after.reference) return node
    return withChild(node, index, after)
  }

  #loadRoot(): Node | null {
    if (isHash(this.#root)) {
      const hash = this.#root
      this.#root = this.#read(hash)
      this.#source.roots?.set(bytesToHex(hash), this.#root, this.#epoch)
    }
    return this.#root
  }

  #loadChild(branch: BranchNode, index: number): Node | null {
    const child = branch.children[index]!
    if (!isHash(child)) return child
    const node = this.#read(child)
    branch.children[index] = node
    return node
  }

  #loadExtended(extension: ExtensionNode): Node {
    if (isHash(extension.child)) extension.child = this.#read(extension.child)
    return extension.child
  }

  #read(hash: Uint8Array): Node {
    const key = bytesToHex(hash)
    const encoded = this.#source.get(key)
    if (!encoded) throw new NodeMissing(key)
    const node = decodeNode(encoded)
    node.reference = hash
    this.#source.roots?.count()
    return node
  }
}

/** The branch with another child: a copy, where it may stand in other tries too. */
function withChild(branch: BranchNode, index: number, child: Node | null): BranchNode {
  const changed: BranchNode = branch.reference
    ? { kind: 'branch', children: [...branch.children] }
    : branch
  changed.children[index] = child
  return changed
}

function startsWith(path: Nibbles, part: Nibbles, at: number): boolean {
  if (path.length - at < part.length) return false
  for (let i = 0; i < part.length; i++) if (path[at + i] !== part[i]) return false
  return true
}

/** A branch where the paths of an existing node and of a new value part. */
function split(
  node: LeafNode | ExtensionNode,
  shared: number,
  path: Nibbles,
  value: Uint8Array,
): Node {
  const branch: BranchNode = { kind: 'branch', children: new Array<Child>(16).fill(null) }
  branch.children[node.path[shared]!] = shorten(node, shared + 1)
  branch.children[path[shared]!] = { kind: 'leaf', path: path.subarray(shared + 1), value }
  if (shared === 0) return branch
  return { kind: 'extension', path: path.subarray(0, shared), child: branch }
}

/** The node without the first `count` nibbles of its path. */
function shorten(node: LeafNode | ExtensionNode, count: number): Child {
  const path = node.path.subarray(count)
  if (node.kind === 'leaf') return { kind: 'leaf', path, value: node.value }
  return path.length === 0 ? node.child : { kind: 'extension', path, child: node.child }
}

/** `extension` with a changed child, merged with it where two paths now follow each other. */
function extend(extension: ExtensionNode, child: Node): Node {
  if (child.kind !== 'branch') return prepend(extension.path, child)
  if (child === extension.child && child.reference) return extension
  return { kind: 'extension', path: extension.path, child }
}

function prepend(path: Nibbles, node: Node): Node {
  if (node.kind === 'branch') return { kind: 'extension', path, child: node }
  const joined = joinPaths(path, node.path)
  return node.kind === 'leaf'
    ? { kind: 'leaf', path: joined, value: node.value }
    : { kind: 'extension', path: joined, child: node.child }
}
