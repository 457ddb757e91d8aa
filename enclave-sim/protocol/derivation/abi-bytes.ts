import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'

/**
 * The one `bytes` argument that is all of an event's data, without its padding.
 * @returns undefined when the data is not encoded as Solidity does it: offset 32, length, content
 */
export function abiBytes(data: Uint8Array): Uint8Array | undefined {
  if (data.length < 64 || data.length % 32 !== 0) return undefined
  if (bytesToBigInt(data.subarray(0, 32)) !== 32n) return undefined
  const length = bytesToBigInt(data.subarray(32, 64))
  const room = BigInt(data.length - 64)
  if (length > room || length + 32n <= room) return undefined
  return data.subarray(64, 64 + Number(length))
}
