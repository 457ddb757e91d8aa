import type { ByteReader } from './byte-reader.ts'
import { DerivationError } from './derivation-error.ts'

/**
 * A list of bits as one big-endian integer, zero-padded to whole bytes: bit i of the list is bit i of
 * the integer. OP spec, Delta, "Span batch format": standard bitlist.
 */
export function encodeBitlist(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [i, bit] of bits.entries()) {
    if (bit) bytes[bytes.length - 1 - (i >> 3)]! |= 1 << (i & 7)
  }
  return bytes
}

/** @throws DerivationError BATCH_MALFORMED when the padding is not zero */
export function readBitlist(reader: ByteReader, length: number): (index: number) => boolean {
  const bytes = reader.take(Math.ceil(length / 8))
  const padding = bytes.length * 8 - length
  if (padding > 0 && bytes[0]! >> (8 - padding) !== 0) {
    throw new DerivationError('BATCH_MALFORMED', 'A bitlist of the batch is too long.')
  }
  return (index) => (bytes[bytes.length - 1 - (index >> 3)]! & (1 << (index & 7))) !== 0
}
