// The bloom filter over emitters and topics of logs (Yellow Paper, 4.3.1). Most are met again and again,
// and the bits of those met lately are kept.
import { keccak256 } from '../keccak256'
import { copy, equal } from '../word'

export const BLOOM_BYTES: u32 = 256

/** Kept ones; a power of two. */
const KEPT: u32 = 512
/** The bytes, how many they are, and from 36 on the three bits. */
const KEPT_BYTES: usize = 64
const kept: usize = memory.data(32_768, 16)

const hash: usize = memory.data(32, 16)
const item: usize = memory.data(32, 16)

/** Adds an emitter (20 bytes) or a topic (32) to a bloom. */
export function addToBloom(bloom: usize, at: usize, length: u32): void {
  const found = lookUp(at, length)
  setBit(bloom, load<u16>(found, 36))
  setBit(bloom, load<u16>(found, 38))
  setBit(bloom, load<u16>(found, 40))
}

/** Adds all bits of one bloom to another. */
export function mergeBloom(into: usize, other: usize): void {
  for (let at: usize = 0; at < BLOOM_BYTES; at += 16) {
    v128.store(into + at, v128.or(v128.load(into + at), v128.load(other + at)))
  }
}

function lookUp(at: usize, length: u32): usize {
  // An emitter is told from a topic by its length.
  v128.store(item, i64x2.splat(0), 16)
  memory.copy(item, at, length)
  const mixed =
    (load<u64>(item) ^ (load<u64>(item, 8) * 0x9e3779b97f4a7c15)) +
    (load<u64>(item, 16) ^ load<u64>(item, 24)) * 0xc2b2ae3d27d4eb4f
  const found = kept + (<usize>((mixed >> 40) & (KEPT - 1))) * KEPT_BYTES
  if (load<u32>(found, 32) == length && equal(found, item)) return found
  keccak256(item, length, hash)
  copy(found, item)
  store<u32>(found, length, 32)
  for (let bit: usize = 0; bit < 6; bit += 2) {
    store<u16>(found + 36 + bit, bswap<u16>(load<u16>(hash + bit)) & 2047)
  }
  return found
}

function setBit(bloom: usize, bit: u32): void {
  const at = bloom + 255 - (bit >> 3)
  store<u8>(at, load<u8>(at) | (<u8>1 << <u8>(bit & 7)))
}
