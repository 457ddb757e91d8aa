import { hexToBytes } from '../../../enclave-sim/protocol/bytes/hex-to-bytes.ts'
import { invalidParams } from '../json-rpc-error.ts'
import { hexDigits } from './hex-digits.ts'

/** Bytes of any length, none included. @throws JsonRpcError -32602 */
export function parseBytes(value: unknown, name: string): Uint8Array {
  const digits = hexDigits(value, name)
  if (digits.length % 2) throw invalidParams(`${name}: has half a byte at its end`)
  return hexToBytes(`0x${digits}`)
}
