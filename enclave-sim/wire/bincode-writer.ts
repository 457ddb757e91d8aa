import { BincodeError } from './bincode-error.ts'

/** Bytes a bincode 2 varint takes. */
export function varintSize(value: bigint | number): number {
  if (value < 251) return 1
  if (value <= 0xffff) return 3
  if (value <= 0xffffffff) return 5
  return value < 1n << 64n ? 9 : 17
}

/** Writes into a buffer whose size was computed first, so that a large frame is never copied. */
export class BincodeWriter {
  readonly #buffer: Buffer
  #offset = 0

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size)
  }

  byte(value: number): void {
    this.#offset = this.#buffer.writeUInt8(value, this.#offset)
  }

  raw(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#offset)
    this.#offset += bytes.length
  }

  double(value: number): void {
    this.#offset = this.#buffer.writeDoubleLE(value, this.#offset)
  }

  /** An unsigned integer below 2^128 in its shortest form. */
  varint(value: bigint | number): void {
    const size = varintSize(value)
    if (size > 1) this.byte(VARINT_TAG[size]!)
    if (size === 1) this.byte(Number(value))
    else if (size === 3) this.#offset = this.#buffer.writeUInt16LE(Number(value), this.#offset)
    else if (size === 5) this.#offset = this.#buffer.writeUInt32LE(Number(value), this.#offset)
    else {
      const wide = BigInt(value)
      this.#offset = this.#buffer.writeBigUInt64LE(BigInt.asUintN(64, wide), this.#offset)
      if (size === 17) this.#offset = this.#buffer.writeBigUInt64LE(wide >> 64n, this.#offset)
    }
  }

  /** @throws BincodeError when a schema's size and its write disagree, which would leak old memory. */
  finish(): Buffer {
    if (this.#offset !== this.#buffer.length) throw new BincodeError('size and bytes disagree')
    return this.#buffer
  }
}

/** Tag by whole size. Source: bincode 2 specification, "varint encoding". */
const VARINT_TAG: Record<number, number> = { 3: 251, 5: 252, 9: 253, 17: 254 }
