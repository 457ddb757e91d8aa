import { bigIntToBytes } from '../bytes/big-int-to-bytes.ts'
import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Hash } from '../types/bytes.ts'
import { DerivationError } from './derivation-error.ts'
import { type RlpItem, readRlpItem, readRlpList } from './rlp-item.ts'

/** What the sequencer says of one L2 block. OP spec, Derivation, "Batch Format", version 0. */
export interface SingularBatch {
  parentHash: Hash
  /** The L1 origin. */
  epochNumber: bigint
  epochHash: Hash
  /** Seconds. */
  timestamp: bigint
  /** EIP-2718 bytes; no deposits. */
  transactions: Uint8Array[]
}

/** Without the version byte. */
export function encodeSingularBatch(batch: SingularBatch): Uint8Array {
  return encodeRlp([
    hexToBytes(batch.parentHash),
    bigIntToBytes(batch.epochNumber),
    hexToBytes(batch.epochHash),
    bigIntToBytes(batch.timestamp),
    batch.transactions,
  ])
}

/** @throws DerivationError BATCH_MALFORMED */
export function decodeSingularBatch(content: Uint8Array): SingularBatch {
  const batch = readRlpItem(content)
  const fields = batch.isList ? readRlpList(batch.payload) : []
  const [parentHash, epochNumber, epochHash, timestamp, transactions] = fields
  if (fields.length !== 5 || !transactions?.isList) throw malformed('it has not five fields')
  return {
    parentHash: hash(parentHash!),
    epochNumber: uint64(epochNumber!),
    epochHash: hash(epochHash!),
    timestamp: uint64(timestamp!),
    transactions: readRlpList(transactions.payload).map(string),
  }
}

function string(item: RlpItem): Uint8Array {
  if (item.isList) throw malformed('a byte string is missing')
  return item.payload
}

function hash(item: RlpItem): Hash {
  const bytes = string(item)
  if (bytes.length !== 32) throw malformed('a hash has not 32 bytes')
  return bytesToHex(bytes)
}

function uint64(item: RlpItem): bigint {
  const bytes = string(item)
  if (bytes.length > 8 || bytes[0] === 0) throw malformed('a number is not canonical')
  return bytesToBigInt(bytes)
}

function malformed(reason: string): DerivationError {
  return new DerivationError('BATCH_MALFORMED', `This is no singular batch: ${reason}.`)
}
