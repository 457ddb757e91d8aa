import type { Hex } from '../types/bytes.ts'
import { hexLength, writeHex } from './hex-to-bytes.ts'

/** A byte string, also as 0x hex; a number, as its bytes without leading zeros; or a list of items. */
export type RlpItem = Uint8Array | Hex | bigint | readonly RlpItem[]

/** Up to it, the length stands in the first byte. */
const SHORT = 55
const STRING = 0x80
const LIST = 0xc0
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

let scratch = new Uint8Array(4_096)

/**
 * RLP (Yellow Paper, appendix B). It measures first and then writes once: trie nodes, receipts and
 * transactions take a fifth of what they take with `@ethereumjs/rlp`, which joins piece by piece.
 *
 * @param type a byte to stand before it (EIP-2718)
 * @throws RangeError for text that is not hex
 */
export function encodeRlp(item: RlpItem, type?: number): Uint8Array {
  const lengths: number[] = []
  const before = type === undefined ? 0 : 1
  const bytes = new Uint8Array(before + measure(item, lengths))
  if (type !== undefined) bytes[0] = type
  new Writer(bytes, lengths, before).write(item)
  return bytes
}

/** The same in memory that the next call uses again: for who hashes it at once and is done with it. */
export function encodeRlpForNow(item: RlpItem): Uint8Array {
  const lengths: number[] = []
  const length = measure(item, lengths)
  if (length > scratch.length) scratch = new Uint8Array(2 * length)
  new Writer(scratch, lengths).write(item)
  return scratch.subarray(0, length)
}

/** How long `encodeRlp(item)` is. */
export function rlpLength(item: RlpItem): number {
  return measure(item, [])
}

/** How long a list is whose items are so long together. */
export function rlpListLength(payload: number): number {
  return headLength(payload) + payload
}

/** @param lengths gets the payload length of each list, in the order in which lists begin */
function measure(item: RlpItem, lengths: number[]): number {
  if (item instanceof Uint8Array) return stringLength(item.length, item[0]!)
  if (typeof item === 'string') return stringLength(hexLength(item), firstByte(item))
  if (typeof item === 'bigint') return item < STRING ? 1 : 1 + numberLength(item)
  const at = lengths.push(0) - 1
  let payload = 0
  for (const child of item) payload += measure(child, lengths)
  lengths[at] = payload
  return headLength(payload) + payload
}

class Writer {
  readonly #bytes: Uint8Array
  readonly #lengths: readonly number[]
  #at: number
  #list = 0

  constructor(bytes: Uint8Array, lengths: readonly number[], at = 0) {
    this.#bytes = bytes
    this.#lengths = lengths
    this.#at = at
  }

  write(item: RlpItem): void {
    if (item instanceof Uint8Array) {
      this.#writeStringHead(item.length, item[0]!)
      this.#bytes.set(item, this.#at)
      this.#at += item.length
    } else if (typeof item === 'string') {
      const length = hexLength(item)
      this.#writeStringHead(length, firstByte(item))
      writeHex(item, this.#bytes, this.#at)
      this.#at += length
    } else if (typeof item === 'bigint') {
      this.#writeNumber(item)
    } else {
      this.#writeHead(LIST, this.#lengths[this.#list++]!)
      for (const child of item) this.write(child)
    }
  }

  #writeNumber(value: bigint): void {
    const length = numberLength(value)
    this.#writeStringHead(length, value < STRING ? Number(value) : STRING)
    if (value <= MAX_SAFE) {
      let rest = Number(value)
      for (let at = this.#at + length - 1; at >= this.#at; at--) {
        this.#bytes[at] = rest % 256
        rest = Math.floor(rest / 256)
      }
    } else {
      writeHex(`0x${value.toString(16).padStart(2 * length, '0')}`, this.#bytes, this.#at)
    }
    this.#at += length
  }

  #writeStringHead(length: number, first: number): void {
    if (length !== 1 || first >= STRING) this.#writeHead(STRING, length)
  }

  #writeHead(kind: number, length: number): void {
    if (length <= SHORT) {
      this.#bytes[this.#at++] = kind + length
      return
    }
    const lengthBytes = headLength(length) - 1
    this.#bytes[this.#at++] = kind + SHORT + lengthBytes
    for (let byte = lengthBytes - 1; byte >= 0; byte--) {
      this.#bytes[this.#at++] = Math.floor(length / 256 ** byte) % 256
    }
  }
}

/** A single byte below 0x80 is its own code. */
function stringLength(length: number, first: number): number {
  return length === 1 && first < STRING ? 1 : headLength(length) + length
}

/** Of hex that is one byte long; of other hex nobody asks. */
function firstByte(hex: Hex): number {
  return hex.length === 4 ? Number(hex) : STRING
}

/** Bytes of a number without leading zeros. */
function numberLength(value: bigint): number {
  if (value > MAX_SAFE) return (value.toString(16).length + 1) >> 1
  let bytes = 0
  for (let rest = Number(value); rest >= 1; rest /= 256) bytes++
  return bytes
}

function headLength(length: number): number {
  if (length <= SHORT) return 1
  let bytes = 1
  for (let rest = length; rest >= 1; rest /= 256) bytes++
  return bytes
}
