/**
 * The part of bincode 2 (serde, standard configuration) that enclave messages use: little endian,
 * integers of variable length. Source: bincode-org/bincode docs/spec.md.
 */

const U16 = 0xfb
const U32 = 0xfc
const U64 = 0xfd

/** An integer of variable length; also the index of an enum variant and every length. */
export function varint(value: bigint | number): Uint8Array {
  const wide = Buffer.alloc(9)
  wide.writeBigUInt64LE(BigInt(value), 1)
  const of = (marker: number, bytes: number) => {
    wide[0] = marker
    return wide.subarray(0, 1 + bytes)
  }
  if (value < U16) return Uint8Array.of(Number(value))
  if (value <= 0xffff) return of(U16, 2)
  if (value <= 0xffff_ffff) return of(U32, 4)
  return of(U64, 8)
}

/** A byte vector: its length, then its bytes. */
export function vector(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(bytes.length), bytes])
}

/** An Option of a byte vector. */
export function optionalVector(bytes: Uint8Array | undefined): Uint8Array {
  return bytes ? Buffer.concat([Uint8Array.of(1), vector(bytes)]) : Uint8Array.of(0)
}

/** Reads values one after the other. @throws RangeError at the end of the bytes */
export class BincodeReader {
  readonly #bytes: Buffer
  #offset = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
  }

  /** Bytes that were not read yet. */
  get left(): number {
    return this.#bytes.length - this.#offset
  }

  varint(): bigint {
    const [marker] = this.take(1)
    const width = { [U16]: 2, [U32]: 4, [U64]: 8 }[marker!]
    if (width === undefined) return BigInt(marker!)
    return [...this.take(width)].reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  }

  vector(): Uint8Array {
    return this.take(Number(this.varint()))
  }

  take(length: number): Uint8Array {
    const end = this.#offset + length
    if (end > this.#bytes.length) throw new RangeError(`${end} bytes wanted`)
    const taken = this.#bytes.subarray(this.#offset, end)
    this.#offset = end
    return taken
  }
}
