import { decodeRlp } from '../bytes/decode-rlp.ts'
import { encodeRlp, encodeRlpForNow } from '../bytes/encode-rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import { decodePath, encodePath, type Nibbles } from './nibbles.ts'

/** A child: absent, a node in memory, or the 32-byte hash of a node in the source. */
export type Child = null | Node | Uint8Array

/**
 * `reference` is what the parent holds for this node: the hash, or the node's own list when its encoding
 * is shorter than 32 bytes. A node that has one may stand in many tries and never changes again, but for
 * a child's hash, whose place the child itself takes once it was read.
 */
interface NodeBase {
  reference?: Reference
}

export interface LeafNode extends NodeBase {
  kind: 'leaf'
  path: Nibbles
  value: Uint8Array
}

export interface ExtensionNode extends NodeBase {
  kind: 'extension'
  path: Nibbles
  child: Node | Uint8Array
}

/** Without a value of its own: no key of ours is a prefix of another. */
export interface BranchNode extends NodeBase {
  kind: 'branch'
  children: Child[]
}

export type Node = LeafNode | ExtensionNode | BranchNode

type RlpList = (Uint8Array | RlpList)[]
export type Reference = Uint8Array | RlpList

const EMPTY = new Uint8Array(0)
/** A node within its parent takes less than 32 bytes: no more than so many extensions can stand in each other. */
const MAX_DEPTH = 16

/** Whether a child is given by its hash, and not as a node within its parent (shorter than 32 bytes). */
export function isHash(child: Child): child is Uint8Array {
  return child instanceof Uint8Array
}

/**
 * Decodes an encoded trie node.
 * @throws RollbedError NODE_MALFORMED
 */
export function decodeNode(bytes: Uint8Array): Node {
  const branch = branchOfHashes(bytes)
  if (branch) return branch
  let list: unknown
  try {
    // What becomes part of the trie must not be a part of somebody else's memory.
    list = decodeRlp(bytes.slice(), MAX_DEPTH)
  } catch (cause) {
    throw malformed('it is not RLP', cause)
  }
  return fromList(list)
}

/**
 * A branch of hashes alone, as nearly all are: read in a tenth of the time that any RLP takes.
 * @returns undefined for any other bytes, well-formed or not
 */
function branchOfHashes(bytes: Uint8Array): BranchNode | undefined {
  let at = payloadOf(bytes)
  if (at === undefined) return undefined
  const children: Child[] = []
  while (children.length < 16) {
    const prefix = bytes[at]
    if (prefix === 0x80) {
      children.push(null)
      at += 1
    } else if (prefix === 0xa0) {
      children.push(bytes.slice(at + 1, at + 33))
      at += 33
    } else return undefined
  }
  // No value, and nothing behind it.
  return at === bytes.length - 1 && bytes[at] === 0x80 ? { kind: 'branch', children } : undefined
}

/** Where the items of a list begin whose length takes one byte or two, in the one form that RLP allows. */
function payloadOf(bytes: Uint8Array): number | undefined {
  const [prefix, high = 0, low = 0] = bytes
  if (prefix === 0xf8) return high > 55 && high === bytes.length - 2 ? 2 : undefined
  if (prefix === 0xf9) return high > 0 && high * 256 + low === bytes.length - 3 ? 3 : undefined
  return undefined
}

function fromList(list: unknown): Node {
  if (!Array.isArray(list)) throw malformed('it is not a list')
  if (list.length === 17) {
    const value: unknown = list[16]
    if (!(value instanceof Uint8Array) || value.length > 0) throw malformed('a branch has a value')
    return { kind: 'branch', children: list.slice(0, 16).map(toChild) }
  }
  const [encodedPath, content]: unknown[] = list
  const path = encodedPath instanceof Uint8Array ? decodePath(encodedPath) : undefined
  if (list.length !== 2 || !path) throw malformed('it is neither branch, extension nor leaf')
  if (path.isLeaf) {
    if (!(content instanceof Uint8Array)) throw malformed('a leaf has a list as value')
    return { kind: 'leaf', path: path.path, value: content }
  }
  const child = toChild(content)
  if (child === null) throw malformed('an extension leads nowhere')
  return { kind: 'extension', path: path.path, child }
}

function toChild(item: unknown): Child {
  if (Array.isArray(item)) {
    const node = fromList(item)
    node.reference = item
    return node
  }
  if (item instanceof Uint8Array && item.length === 32) return item
  if (item instanceof Uint8Array && item.length === 0) return null
  throw malformed('a child is neither hash nor node')
}

/**
 * What a parent holds for this node. New and changed nodes of 32 bytes and more are handed to `emit`,
 * children before parents.
 */
export function nodeReference(
  node: Node,
  emit?: (hash: Uint8Array, encoded: Uint8Array) => void,
): Reference {
  if (node.reference) return node.reference
  const list = nodeList(node, emit)
  const encoded = emit ? encodeRlp(list) : encodeRlpForNow(list)
  if (encoded.length < 32) {
    node.reference = list
  } else {
    node.reference = keccak256(encoded)
    emit?.(node.reference, encoded)
  }
  return node.reference
}

/** The node as the list that is RLP-encoded. */
export function nodeList(
  node: Node,
  emit?: (hash: Uint8Array, encoded: Uint8Array) => void,
): RlpList {
  if (node.kind === 'leaf') return [encodePath(node.path, true), node.value]
  if (node.kind === 'extension') {
    return [encodePath(node.path, false), childReference(node.child, emit)]
  }
  const list: RlpList = node.children.map((child) => childReference(child, emit))
  list.push(EMPTY)
  return list
}

function childReference(
  child: Child,
  emit?: (hash: Uint8Array, encoded: Uint8Array) => void,
): Reference {
  if (child === null) return EMPTY
  return isHash(child) ? child : nodeReference(child, emit)
}

function malformed(reason: string, cause?: unknown): RollbedError {
  return new RollbedError('NODE_MALFORMED', `A trie node cannot be decoded: ${reason}.`, {
    hint: 'The state source holds bytes that are not a trie node.',
    cause,
  })
}
