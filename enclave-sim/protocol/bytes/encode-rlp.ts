import type { Hex } from '../types/bytes.ts'
import { hexLength, writeHex } from './hex-to-bytes.ts'

/** A byte string, also as 0x hex; a number, as its bytes without leading zeros; or a list of items. */
export type RlpItem = Uint8Array | Hex | bigint | readonly RlpItem[]

/** Up to it, the length stands in the first byte. */
const SHORT = 55
const STRING = 0x80
const LIST = 0xc0
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
/** What a head, or a number of 256 bits, takes at most. */
const MOST_SHORT = 40

/**
 * Where items are written, from the end to the front: when the head of a list is due, the list stands
 * behind it, and how long it is need not be measured before.
 */
let space = new Uint8Array(4_096)
/** The first byte that is written. */
let at = space.length

/**
 * RLP (Yellow Paper, appendix B): trie nodes, receipts and transactions take a tenth of what they take
 * with `@ethereumjs/rlp`, which joins piece by piece.
 *
 * @param type a byte to stand before it (EIP-2718)
 * @throws RangeError for text that is not hex
 */
export function encodeRlp(item: RlpItem, type?: number): Uint8Array {
  return encodeRlpForNow(item, type).slice()
}

/** The same in memory that the next call uses again: for who hashes or copies it at once. */
export function encodeRlpForNow(item: RlpItem, type?: number): Uint8Array {
  at = space.length
  write(item)
  if (type !== undefined) {
    makeRoom(1)
    space[--at] = type
  }
  return space.subarray(at)
}

/** How long `encodeRlp(item)` is. */
export function rlpLength(item: RlpItem): number {
  if (!(item instanceof Uint8Array)) return encodeRlpForNow(item).length
  const { length } = item
  return length === 1 && item[0]! < STRING ? 1 : rlpListLength(length)
}

/** How long a list is whose items are so long together. */
export function rlpListLength(payload: number): number {
  if (payload <= SHORT) return 1 + payload
  let head = 1
  for (let rest = payload; rest >= 1; rest /= 256) head++
  return head + payload
}

function write(item: RlpItem): void {
  if (typeof item === 'string') {
    const length = hexLength(item)
    makeRoom(length + MOST_SHORT)
    at -= length
    writeHex(item, space, at)
    writeStringHead(length)
  } else if (typeof item === 'bigint') {
    writeNumber(item)
  } else if (item instanceof Uint8Array) {
    makeRoom(item.length + MOST_SHORT)
    at -= item.length
    space.set(item, at)
    writeStringHead(item.length)
  } else {
    // Counted from the end, which stays where it is when the space grows.
    const behind = space.length - at
    for (let index = item.length - 1; index >= 0; index--) write(item[index]!)
    makeRoom(MOST_SHORT)
    writeHead(LIST, space.length - at - behind)
  }
}

function writeNumber(value: bigint): void {
  makeRoom(MOST_SHORT)
  if (value > MAX_SAFE) {
    const digits = value.toString(16)
    const length = (digits.length + 1) >> 1
    makeRoom(length + MOST_SHORT)
    at -= length
    writeHex(`0x${digits.padStart(2 * length, '0')}`, space, at)
    writeStringHead(length)
    return
  }
  const end = at
  let rest = Number(value)
  for (; rest > 0x7fffffff; rest = Math.floor(rest / 256)) space[--at] = rest % 256
  for (; rest > 0; rest >>= 8) space[--at] = rest
  writeStringHead(end - at)
}

/** A single byte below 0x80 is its own code. */
function writeStringHead(length: number): void {
  if (length !== 1 || space[at]! >= STRING) writeHead(STRING, length)
}

function writeHead(kind: number, length: number): void {
  if (length <= SHORT) {
    space[--at] = kind + length
    return
  }
  const end = at
  for (let rest = length; rest >= 1; rest = Math.floor(rest / 256)) space[--at] = rest % 256
  const lengthBytes = end - at
  space[--at] = kind + SHORT + lengthBytes
}

/** Makes sure that so many bytes can be written before what is there. */
function makeRoom(bytes: number): void {
  if (at >= bytes) return
  const written = space.length - at
  const larger = new Uint8Array(2 * (bytes + written))
  larger.set(space.subarray(at), larger.length - written)
  space = larger
  at = larger.length - written
}
