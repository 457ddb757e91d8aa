import { DerivationError } from './derivation-error.ts'
import { type RlpItem, readRlpItem } from './rlp-item.ts'

/** Reads a batch from front to back. Its methods throw DerivationError BATCH_MALFORMED at the end. */
export interface ByteReader {
  take(length: number): Uint8Array
  /** An unsigned base-128 varint of at most 64 bits, as protobuf has it. */
  uvarint(): bigint
  rlpItem(): RlpItem
  peek(): number
}

/**
 * Reads these bytes from their first on.
 * @throws DerivationError BATCH_MALFORMED; its methods do
 */
export function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0
  const advance = (length: number) => {
    if (at + length > bytes.length) {
      throw new DerivationError('BATCH_MALFORMED', 'The batch ends too early.')
    }
    at += length
  }
  const take = (length: number) => {
    advance(length)
    return bytes.subarray(at - length, at)
  }
  const byte = () => {
    advance(1)
    return bytes[at - 1]!
  }
  return {
    take,
    uvarint() {
      const first = byte()
      if (first < 0x80) return BigInt(first)
      let value = BigInt(first & 0x7f)
      for (let shift = 7n; ; shift += 7n) {
        const next = byte()
        value |= BigInt(next & 0x7f) << shift
        if (value >= 1n << 64n || shift > 63n) {
          throw new DerivationError('BATCH_MALFORMED', 'A number of the batch exceeds 64 bits.')
        }
        if (next < 0x80) return value
      }
    },
    rlpItem() {
      const item = readRlpItem(bytes.subarray(at))
      at += item.encoded.length
      return item
    },
    peek() {
      const next = byte()
      at -= 1
      return next
    },
  }
}

/** OP spec, Delta, "Span batch format": uvarint. */
export function encodeUvarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Uint8Array.from([...bytes, Number(rest)])
}
