import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { decodeRlp } from '../bytes/decode-rlp.ts'
import { encodeRlp, encodeRlpForNow, type RlpItem } from '../bytes/encode-rlp.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Header } from '../types/block.ts'
import type { Hash, Hex } from '../types/bytes.ts'

type DataField = {
  [K in keyof Header]: Header[K] extends Hex ? K : never
}[keyof Header]
type QuantityField = Exclude<keyof Header, DataField>

/** The fields of a Prague header in order; a number is the exact length of a data field. */
const FIELDS: readonly ([DataField, number | 'any'] | [QuantityField])[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty'],
  ['number'],
  ['gasLimit'],
  ['gasUsed'],
  ['timestamp'],
  ['extraData', 'any'],
  ['mixHash', 32],
  ['nonce', 8],
  ['baseFeePerGas'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed'],
  ['excessBlobGas'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
]

/** The header's fields as they stand in its RLP list. */
export function headerFields(header: Header): RlpItem[] {
  return FIELDS.map(([name]) => header[name])
}

/** RLP of the 21 header fields. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerFields(header))
}

/**
 * The block hash: keccak256 of the encoded header.
 * @example
 * headerHash(block.header) === block.hash
 */
export function headerHash(header: Header): Hash {
  return keccak256Hex(encodeRlpForNow(headerFields(header)))
}

/**
 * Decodes an OP block header (21 fields, Isthmus and later).
 * @throws RollbedError HEADER_MALFORMED
 * @example
 * const { number, stateRoot } = decodeHeader(hexToBytes(await rpc.request('debug_getRawHeader', ['latest'])))
 */
export function decodeHeader(bytes: Uint8Array): Header {
  let items: unknown
  try {
    items = decodeRlp(bytes, 1)
  } catch (cause) {
    throw malformed('it is not RLP', cause)
  }
  if (!Array.isArray(items) || items.length !== FIELDS.length) {
    throw malformed(`it has not ${FIELDS.length} fields`)
  }
  const entries = FIELDS.map(([name, length], index) => {
    const item: unknown = items[index]
    if (!(item instanceof Uint8Array)) throw malformed(`${name} is a list`)
    if (length === undefined) {
      if (item[0] === 0) throw malformed(`${name} has a leading zero`)
      return [name, bytesToBigInt(item)]
    }
    if (length !== 'any' && item.length !== length) throw malformed(`${name} has a wrong length`)
    return [name, bytesToHex(item)]
  })
  return Object.fromEntries(entries) as Header
}

function malformed(reason: string, cause?: unknown): RollbedError {
  return new RollbedError('HEADER_MALFORMED', `This is no OP block header: ${reason}.`, { cause })
}
