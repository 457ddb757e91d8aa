import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { DerivationError } from './derivation-error.ts'

/** Where an RLP item stands in a buffer. */
export interface RlpItem {
  isList: boolean
  /** The item with its header. */
  encoded: Uint8Array
  /** Its content: the bytes of a string, the items of a list. */
  payload: Uint8Array
}

/**
 * Finds the item at the start of `bytes` without looking into it: nothing is copied, nothing recurs,
 * so hostile nesting costs nothing.
 * @throws DerivationError BATCH_MALFORMED when there is none, or its header is not canonical
 */
export function readRlpItem(bytes: Uint8Array): RlpItem {
  const first = bytes[0]
  if (first === undefined) throw malformed()
  if (first < 0x80) {
    return { isList: false, encoded: bytes.subarray(0, 1), payload: bytes.subarray(0, 1) }
  }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const lengthBytes = short > 55 ? short - 55 : 0
  const length = lengthBytes === 0 ? short : longLength(bytes.subarray(1, 1 + lengthBytes))
  const start = 1 + lengthBytes
  if (start + length > bytes.length) throw malformed()
  const payload = bytes.subarray(start, start + length)
  if (!isList && length === 1 && payload[0]! < 0x80) throw malformed()
  return { isList, encoded: bytes.subarray(0, start + length), payload }
}

/** The items of a list, one level deep. @throws DerivationError BATCH_MALFORMED */
export function readRlpList(payload: Uint8Array): RlpItem[] {
  const items: RlpItem[] = []
  for (let rest = payload; rest.length > 0; ) {
    const item = readRlpItem(rest)
    items.push(item)
    rest = rest.subarray(item.encoded.length)
  }
  return items
}

function longLength(bytes: Uint8Array): number {
  if (bytes.length === 0 || bytes[0] === 0 || bytes.length > 6) throw malformed()
  const length = Number(bytesToBigInt(bytes))
  if (length < 56) throw malformed()
  return length
}

function malformed(): DerivationError {
  return new DerivationError('BATCH_MALFORMED', 'The batch is not canonical RLP.')
}
