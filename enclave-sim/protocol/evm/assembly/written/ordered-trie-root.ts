// The root of the trie rlp(index) → value, of values that are all there: each node is hashed as soon as what
// is below it is, and no trie is built. ../../../trie/hash-ordered-trie.ts does the same for whoever wants
// the nodes.
import { keccak256 } from '../keccak256'
import { listLength, stringLength, writeListHead, writeString } from './rlp'
import { makeRoom, setTop, top } from './room'

/** A reference as it stands in its parent: a hash with its head, or a node of less than 32 bytes. */
const MOST_REFERENCE: usize = 33
/** What a branch keeps of a child: how long its reference is, and the reference. */
const CHILD_BYTES: usize = 40
const CHILDREN: usize = 16
const MOST_BRANCH: usize = 3 + CHILDREN * MOST_REFERENCE + 1
const NOTHING: u8 = 0x80
const HASH_HEAD: u8 = 0xa0

/** Where the values are: two numbers of 32 bits, the place and the length, in records of a size. */
let values: usize = 0
let stride: usize = 0
/** 0 is coded as 0x80, so it stands behind those that are their own code. */
let zeroAt: u32 = 0

const root: usize = memory.data(40, 16)
const path: usize = memory.data(8, 16)

/** Writes the root of so many values, of which there is one at least, to `out`. */
export function orderedTrieRoot(records: usize, size: usize, count: u32, out: usize): void {
  values = records
  stride = size
  zeroAt = min(count - 1, 0x7f)
  const begin = top
  const length = node(0, count, 0, root)
  if (length == MOST_REFERENCE) memory.copy(out, root + 1, 32)
  else keccak256(root, length, out)
  setTop(begin)
}

/**
 * Writes what a parent holds for the values from one place in the order of keys to before another, whose
 * paths are the same up to `depth`.
 * @returns its length
 */
function node(from: u32, to: u32, depth: u32, out: usize): usize {
  if (to - from == 1) return leaf(indexAt(from), depth, out)
  const first = indexAt(from)
  const last = indexAt(to - 1)
  let shared = depth
  while (nibble(first, shared) == nibble(last, shared)) shared++
  const length = branch(from, to, shared, out)
  return shared == depth ? length : extension(first, depth, shared, out, length)
}

function leaf(index: u32, depth: u32, out: usize): usize {
  const record = values + <usize>index * stride
  const value = <usize>load<u32>(record)
  const length = load<u32>(record, 4)
  const pathLength = writePath(index, depth, pathNibbles(index), true)
  const payload = stringLength(path, pathLength) + stringLength(value, length)
  makeRoom(listLength(payload))
  let at = writeListHead(top, payload)
  at = writeString(at, path, pathLength)
  at = writeString(at, value, length)
  return reference(at, out)
}

/** Takes the branch's reference where its own goes. */
function extension(index: u32, from: u32, to: u32, out: usize, branchLength: usize): usize {
  const pathLength = writePath(index, from, to, false)
  const payload = stringLength(path, pathLength) + <u32>branchLength
  makeRoom(listLength(payload))
  let at = writeListHead(top, payload)
  at = writeString(at, path, pathLength)
  memory.copy(at, out, branchLength)
  return reference(at + branchLength, out)
}

function branch(from: u32, to: u32, depth: u32, out: usize): usize {
  const children = top
  makeRoom(CHILDREN * CHILD_BYTES + MOST_BRANCH)
  setTop(children + CHILDREN * CHILD_BYTES)
  for (let child: usize = 0; child < CHILDREN; child++) {
    store<u32>(children + child * CHILD_BYTES, 1)
    store<u8>(children + child * CHILD_BYTES + 4, NOTHING)
  }
  for (let start = from; start < to; ) {
    const at = nibble(indexAt(start), depth)
    let end = start + 1
    while (end < to && nibble(indexAt(end), depth) == at) end++
    const child = children + <usize>at * CHILD_BYTES
    store<u32>(child, <u32>node(start, end, depth + 1, child + 4))
    start = end
  }
  // No value of its own: no key is the beginning of another.
  let payload: u32 = 1
  for (let child: usize = 0; child < CHILDREN; child++) {
    payload += load<u32>(children + child * CHILD_BYTES)
  }
  makeRoom(MOST_BRANCH)
  let at = writeListHead(top, payload)
  for (let child: usize = 0; child < CHILDREN; child++) {
    const length = load<u32>(children + child * CHILD_BYTES)
    memory.copy(at, children + child * CHILD_BYTES + 4, length)
    at += length
  }
  store<u8>(at, NOTHING)
  const length = reference(at + 1, out)
  setTop(children)
  return length
}

/** Of the node that lies from the top to `end`. @returns its length */
function reference(end: usize, out: usize): usize {
  const length = end - top
  if (length < 32) {
    memory.copy(out, top, length)
    return length
  }
  store<u8>(out, HASH_HEAD)
  keccak256(top, length, out + 1)
  return MOST_REFERENCE
}

/** Which value stands at a place in the order of keys. */
function indexAt(place: u32): u32 {
  if (place < zeroAt) return place + 1
  return place == zeroAt ? 0 : place
}

/** rlp(index), as a number. */
function keyOf(index: u32): u32 {
  if (index == 0) return 0x80
  if (index < 0x80) return index
  return index < 0x100 ? 0x8100 | index : 0x820000 | index
}

function pathNibbles(index: u32): u32 {
  if (index < 0x80) return 2
  return index < 0x100 ? 4 : 6
}

function nibble(index: u32, at: u32): u32 {
  return (keyOf(index) >> ((pathNibbles(index) - 1 - at) << 2)) & 15
}

/** Hex-prefix encoding (Yellow Paper, appendix C) of a part of a path. @returns its length */
function writePath(index: u32, from: u32, to: u32, isLeaf: bool): u32 {
  const isOdd = (to - from) & 1
  let flags: u32 = isLeaf ? 0x20 : 0
  if (isOdd) flags |= 0x10 | nibble(index, from)
  store<u8>(path, flags)
  let length: u32 = 1
  for (let at = from + isOdd; at < to; at += 2) {
    store<u8>(path + length, (nibble(index, at) << 4) | nibble(index, at + 1))
    length++
  }
  return length
}
