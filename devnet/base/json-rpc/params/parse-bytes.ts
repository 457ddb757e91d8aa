import { hexLength, hexToBytes, writeHex } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import { invalidParams } from '../json-rpc-error.ts'
import { requireHex } from './hex-digits.ts'

/**
 * Bytes of any length, none included.
 *
 * @param most bytes; of more nothing is read. For what is worked on where flashblocks are made
 * @throws JsonRpcError -32602
 */
export function parseBytes(value: unknown, name: string, most = Infinity): Uint8Array {
  return hexToBytes(requireBytes(value, name, most))
}

/**
 * The same in memory that is shared with others, for many that are let go of soon: what has more than 64
 * bytes would get memory of its own from the platform, which takes longer than to read it. Not for another
 * thread: it would be sent all that they share.
 *
 * @throws JsonRpcError -32602
 */
export function parsePooledBytes(value: unknown, name: string): Uint8Array {
  const hex = requireBytes(value, name)
  const length = hexLength(hex)
  // A Buffer's `slice` is no copy: nobody is to be given one.
  const { buffer, byteOffset } = Buffer.allocUnsafe(length)
  const bytes = new Uint8Array(buffer, byteOffset, length)
  writeHex(hex, bytes, 0)
  return bytes
}

function requireBytes(value: unknown, name: string, most = Infinity): Hex {
  const size = typeof value === 'string' ? Math.ceil((value.length - 2) / 2) : 0
  if (size > most) throw invalidParams(`${name}: has ${size} bytes, the limit is ${most}`)
  const hex = requireHex(value, name)
  if (hex.length % 2) throw invalidParams(`${name}: has half a byte at its end`)
  return hex[1] === 'x' ? (hex as Hex) : `0x${hex.slice(2)}`
}
