import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { decodeHeader, encodeHeader } from '#protocol/execution/header'
import { logsBloom } from '#protocol/execution/logs-bloom'
import { decodeTransactionFrom } from '#protocol/transaction/decode-transaction'
import type { Block, Receipt } from '#protocol/types/block'
import type { Address, Hex } from '#protocol/types/bytes'
import type { Transaction } from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'

/** Counted up when records of the version before can no longer be read. */
const VERSION = 1
/** The version, and the CRC-32 of what follows. */
const PREFIX = 5

/** What does not follow from a transaction's own bytes, or only with work. */
type TransactionRecord = [raw: Uint8Array, from: Address, isImpersonated: boolean]
/** A receipt without its bloom, which follows from its logs. */
type ReceiptRecord = Omit<Receipt, 'logsBloom'>
type Record = [
  header: Uint8Array,
  size: number,
  transactions: TransactionRecord[],
  receipts: ReceiptRecord[],
]

/**
 * A sealed block with its receipts as bytes for a disk: the header in RLP, transactions in their
 * EIP-2718 form, in the structured clone format, which Node promises to read in later versions too;
 * before it a version and a checksum.
 */
export function encodeBlockRecord(block: Block): Uint8Array {
  const { header, size, transactions, receipts } = block
  const record: Record = [
    encodeHeader(header),
    size,
    transactions.map((one) => [one.raw, one.from, !isDeposit(one) && !!one.isImpersonated]),
    receipts.map(({ logsBloom: _, ...receipt }) => receipt),
  ]
  const content = serialize(record)
  const prefix = Buffer.allocUnsafe(PREFIX)
  prefix.writeUInt8(VERSION)
  prefix.writeUInt32BE(crc32(content), 1)
  return Buffer.concat([prefix, content])
}

/**
 * The same block again, with its hash made from the header that was read.
 * @throws RollbedError BLOCK_RECORD_DAMAGED
 */
export function decodeBlockRecord(bytes: Uint8Array): Block {
  const [header, size, transactions, receipts] = deserialize(contentOf(bytes)) as Record
  return {
    hash: keccak256Hex(header),
    header: decodeHeader(header),
    size,
    transactions: transactions.map(transactionOf),
    receipts: receipts.map((receipt) => ({ ...receipt, logsBloom: bloomOf(receipt) })),
  }
}

function contentOf(bytes: Uint8Array): Uint8Array {
  const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const content = record.subarray(PREFIX)
  const isWhole =
    record.length > PREFIX && record[0] === VERSION && record.readUInt32BE(1) === crc32(content)
  if (isWhole) return content
  throw new RollbedError('BLOCK_RECORD_DAMAGED', 'A block on disk is not what was written there.')
}

function transactionOf([raw, from, isImpersonated]: TransactionRecord): Transaction {
  const transaction = decodeTransactionFrom(from, raw)
  return isImpersonated ? ({ ...transaction, isImpersonated } as Transaction) : transaction
}

const NO_BLOOM: Hex = `0x${'00'.repeat(256)}`

function bloomOf({ logs }: ReceiptRecord): Hex {
  return logs.length === 0 ? NO_BLOOM : bytesToHex(logsBloom(logs))
}
