import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { decodeRlp } from '../bytes/decode-rlp.ts'
import type { Hash } from '../types/bytes.ts'
import { DerivationError } from './derivation-error.ts'

/** What derivation reads of an L1 block header. */
export interface L1Header {
  hash: Hash
  parentHash: Hash
  number: bigint
  /** Seconds. */
  timestamp: bigint
  transactionsRoot: Hash
  receiptsRoot: Hash
  /** 256 bytes. */
  logsBloom: Uint8Array
  /** prevRandao. */
  mixHash: Hash
  /** Wei. */
  baseFee: bigint
  /** Wei per unit of blob gas. */
  blobBaseFee: bigint
  /** undefined before Cancun. */
  parentBeaconBlockRoot: Hash | undefined
}

/**
 * Decodes the header of an L1 block: London's 16 fields or more, of any later fork.
 * @param hash the caller has checked it against the bytes
 * @throws DerivationError L1_HEADER_MALFORMED
 */
export function decodeL1Header(hash: Hash, rlp: Uint8Array): L1Header {
  const fields = listOfBytes(rlp)
  if (!fields || fields.length < 16) {
    throw new DerivationError('L1_HEADER_MALFORMED', `The bytes of ${hash} are no L1 header.`)
  }
  const excessBlobGas = fields[18] && quantity(fields[18])
  return {
    hash,
    parentHash: bytesToHex(fields[0]!),
    transactionsRoot: bytesToHex(fields[4]!),
    receiptsRoot: bytesToHex(fields[5]!),
    logsBloom: fields[6]!,
    number: quantity(fields[8]!),
    timestamp: quantity(fields[11]!),
    mixHash: bytesToHex(fields[13]!),
    baseFee: quantity(fields[15]!),
    blobBaseFee: excessBlobGas === undefined ? 1n : blobBaseFee(excessBlobGas, fields.length > 20),
    parentBeaconBlockRoot: fields[19] && bytesToHex(fields[19]),
  }
}

/** EIP-4844: fake_exponential of the excess blob gas. */
export function blobBaseFee(excessBlobGas: bigint, prague: boolean): bigint {
  // BLOB_BASE_FEE_UPDATE_FRACTION: EIP-4844 (Cancun), EIP-7691 (Prague, told by its requestsHash).
  const fraction = prague ? 5_007_716n : 3_338_477n
  let sum = 0n
  let term = fraction
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * excessBlobGas) / (fraction * i)
  }
  return sum / fraction
}

function listOfBytes(rlp: Uint8Array): Uint8Array[] | undefined {
  try {
    const items = decodeRlp(rlp, 1)
    return Array.isArray(items) && items.every((item) => item instanceof Uint8Array)
      ? items
      : undefined
  } catch {
    return undefined
  }
}

function quantity(bytes: Uint8Array): bigint {
  return bytesToBigInt(bytes)
}
