import type { LinearMemory } from '../crypto/web-assembly.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { KnownWords } from './known-words.ts'

const addresses = new KnownWords(20)
const hashes = new KnownWords(32)

/** The engine's linear memory, read and written in its own terms. Pointers are offsets. */
export class EngineMemory {
  readonly #memory: LinearMemory
  #bytes: Uint8Array
  #view: DataView
  #numbers: Uint32Array

  constructor(memory: LinearMemory) {
    this.#memory = memory
    this.#bytes = new Uint8Array(memory.buffer)
    this.#view = new DataView(memory.buffer)
    this.#numbers = new Uint32Array(memory.buffer)
  }

  /** To be called when it may have grown: a grown memory has new buffers. */
  refresh(): void {
    if (this.#bytes.buffer === this.#memory.buffer) return
    this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#view = new DataView(this.#memory.buffer)
    this.#numbers = new Uint32Array(this.#memory.buffer)
  }

  get size(): number {
    return this.#bytes.length
  }

  /** A copy. */
  bytes(at: number, length: number): Uint8Array {
    return this.#bytes.slice(at, at + length)
  }

  /** Good until the memory is written to, or grows. */
  view(at: number, length: number): Uint8Array {
    return this.#bytes.subarray(at, at + length)
  }

  writeBytes(at: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, at)
  }

  u32(at: number): number {
    return this.#view.getUint32(at, true)
  }

  u64(at: number): bigint {
    return this.#view.getBigUint64(at, true)
  }

  i64(at: number): bigint {
    return this.#view.getBigInt64(at, true)
  }

  /** The address in a word, which begins at a multiple of 4 as all do. */
  address(at: number): Address {
    return addresses.hex(this.#numbers, at >>> 2)
  }

  /** A word as 32 bytes of hex. */
  hash(at: number): Hash {
    return hashes.hex(this.#numbers, at >>> 2)
  }

  /** A word as big-endian bytes without leading zeros. */
  number(at: number): Uint8Array {
    let length = 32
    while (length > 0 && this.#bytes[at + length - 1] === 0) length--
    return this.readWordBytes(at, new Uint8Array(length))
  }

  /** A word as number. */
  word(at: number): bigint {
    const view = this.#view
    const high = view.getBigUint64(at + 16, true) | (view.getBigUint64(at + 24, true) << 64n)
    const low = view.getBigUint64(at, true) | (view.getBigUint64(at + 8, true) << 64n)
    return high === 0n ? low : (high << 128n) | low
  }

  writeWord(at: number, value: bigint): void {
    const view = this.#view
    view.setBigUint64(at, BigInt.asUintN(64, value), true)
    for (let limb = 8; limb < 32; limb += 8) {
      value >>= 64n
      view.setBigUint64(at + limb, BigInt.asUintN(64, value), true)
    }
  }

  /** The lowest bytes of a word, big-endian, into `to`: 20 for an address, 32 for all. */
  readWordBytes(at: number, to: Uint8Array): Uint8Array {
    const last = to.length - 1
    for (let index = 0; index <= last; index++) to[index] = this.#bytes[at + last - index]!
    return to
  }

  /** A word of at most 32 big-endian bytes. */
  writeWordBytes(at: number, bytes: Uint8Array): void {
    const { length } = bytes
    this.#bytes.fill(0, at + length, at + 32)
    for (let index = 0; index < length; index++)
      this.#bytes[at + index] = bytes[length - 1 - index]!
  }
}
