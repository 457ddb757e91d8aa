import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { decodeRlp } from '../bytes/decode-rlp.ts'
import { encodeRlp, type RlpItem } from '../bytes/encode-rlp.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Log, Receipt } from '../types/block.ts'
import type { Hex } from '../types/bytes.ts'
import type { Transaction } from '../types/transaction.ts'

/** Of lists: receipt, logs, log, topics. */
const MAX_DEPTH = 4

/** What the receipts trie holds of a receipt. */
export interface ConsensusReceipt {
  /** Of an L1 receipt it may be any EIP-2718 type. */
  type: number
  status: 0 | 1
  cumulativeGasUsed: bigint
  logsBloom: Hex
  logs: Log[]
  depositNonce?: bigint
  depositReceiptVersion?: bigint
}

/**
 * The consensus encoding: type ‖ rlp(status, cumulative gas, bloom, logs), and for deposits also the
 * sender's nonce and the receipt version. OP spec, Deposits: "Deposit Receipt".
 * @param encode `encodeRlpForNow` for who copies it at once
 * @example
 * const receiptsRoot = orderedTrieRoot(receipts.map((receipt) => encodeReceipt(receipt)))
 */
export function encodeReceipt(
  receipt: Pick<
    Receipt,
    'status' | 'cumulativeGasUsed' | 'logs' | 'depositNonce' | 'depositReceiptVersion'
  > & { type: Transaction['type'] | number; logsBloom: Hex | Uint8Array },
  encode = encodeRlp,
): Uint8Array {
  const fields: RlpItem[] = [
    BigInt(receipt.status),
    receipt.cumulativeGasUsed,
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, topics, data]),
  ]
  if (receipt.depositNonce !== undefined) {
    fields.push(receipt.depositNonce)
    if (receipt.depositReceiptVersion !== undefined) fields.push(receipt.depositReceiptVersion)
  }
  return encode(fields, receipt.type === 0 ? undefined : receipt.type)
}

/**
 * Decodes the consensus encoding of an L1 or L2 receipt.
 * @throws RollbedError RECEIPT_MALFORMED
 */
export function decodeReceipt(bytes: Uint8Array): ConsensusReceipt {
  const first = bytes[0]
  if (first === undefined) throw malformed('it is empty')
  const type = first >= 0xc0 ? 0 : first
  let items: unknown
  try {
    items = decodeRlp(type === 0 ? bytes : bytes.subarray(1), MAX_DEPTH)
  } catch (cause) {
    throw malformed('it is not RLP', cause)
  }
  if (!Array.isArray(items) || items.length < 4 || items.length > (type === 0x7e ? 6 : 4)) {
    throw malformed('it has a wrong number of fields')
  }
  const status = data(items[0])
  if (status.length > 1 || (status.length === 1 && status[0] !== 1)) {
    throw malformed('its status is neither 0 nor 1')
  }
  const receipt: ConsensusReceipt = {
    type,
    status: status.length === 1 ? 1 : 0,
    cumulativeGasUsed: quantity(items[1]),
    logsBloom: bytesToHex(data(items[2], 256)),
    logs: list(items[3]).map(toLog),
  }
  if (items.length > 4) receipt.depositNonce = quantity(items[4])
  if (items.length > 5) receipt.depositReceiptVersion = quantity(items[5])
  return receipt
}

function toLog(item: unknown): Log {
  const fields = list(item)
  if (fields.length !== 3) throw malformed('a log has not 3 fields')
  return {
    address: bytesToHex(data(fields[0], 20)),
    topics: list(fields[1]).map((topic) => bytesToHex(data(topic, 32))),
    data: data(fields[2]).slice(),
  }
}

function list(item: unknown): unknown[] {
  if (!Array.isArray(item)) throw malformed('a list is missing')
  return item
}

function data(item: unknown, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) throw malformed('a byte string is missing')
  if (length !== undefined && item.length !== length) throw malformed('a field has a wrong length')
  return item
}

function quantity(item: unknown): bigint {
  const bytes = data(item)
  if (bytes[0] === 0) throw malformed('a quantity has a leading zero')
  return bytesToBigInt(bytes)
}

function malformed(reason: string, cause?: unknown): RollbedError {
  return new RollbedError('RECEIPT_MALFORMED', `This is no receipt: ${reason}.`, { cause })
}
