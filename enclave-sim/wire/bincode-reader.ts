import { BincodeError } from './bincode-error.ts'

/** Reads from bytes it does not trust; never allocates from a length it has not seen the bytes of. */
export class BincodeReader {
  readonly #buffer: Buffer
  #offset = 0

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#buffer.length - this.#offset
  }

  byte(): number {
    return this.#buffer.readUInt8(this.#take(1))
  }

  /** A view, not a copy. */
  raw(length: number): Buffer {
    const start = this.#take(length)
    return this.#buffer.subarray(start, start + length)
  }

  double(): number {
    return this.#buffer.readDoubleLE(this.#take(8))
  }

  /** An unsigned integer of at most `bits`; longer forms than needed are taken, as Rust takes them. */
  varint(bits: number): bigint {
    const tag = this.byte()
    if (tag < 251) return BigInt(tag)
    if (tag === 251) return BigInt(this.#buffer.readUInt16LE(this.#take(2)))
    if (tag === 252 && bits >= 32) return BigInt(this.#buffer.readUInt32LE(this.#take(4)))
    if (tag === 253 && bits >= 64) return this.#buffer.readBigUInt64LE(this.#take(8))
    if (tag === 254 && bits >= 128) {
      const low = this.#buffer.readBigUInt64LE(this.#take(8))
      return low | (this.#buffer.readBigUInt64LE(this.#take(8)) << 64n)
    }
    throw new BincodeError(`integer tag ${tag} is too wide for u${bits}`)
  }

  /** A count of items of which each takes at least `itemSize` bytes. */
  length(itemSize: number): number {
    const length = this.varint(64)
    if (length * BigInt(itemSize) > BigInt(this.left))
      throw new BincodeError(`length ${length} is more than the ${this.left} bytes left`)
    return Number(length)
  }

  #take(length: number): number {
    if (length > this.left)
      throw new BincodeError(`unexpected end: need ${length} bytes, have ${this.left}`)
    const start = this.#offset
    this.#offset += length
    return start
  }
}
