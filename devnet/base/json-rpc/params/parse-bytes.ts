import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
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
  const size = typeof value === 'string' ? Math.ceil((value.length - 2) / 2) : 0
  if (size > most) throw invalidParams(`${name}: has ${size} bytes, the limit is ${most}`)
  const hex = requireHex(value, name)
  if (hex.length % 2) throw invalidParams(`${name}: has half a byte at its end`)
  return hexToBytes(hex[1] === 'x' ? (hex as Hex) : `0x${hex.slice(2)}`)
}
