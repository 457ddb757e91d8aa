import { concatBytes } from '@ethereumjs/util'
import { bigIntToBytes } from '../bytes/big-int-to-bytes.ts'
import { encodeRlp, type RlpItem } from '../bytes/encode-rlp.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import {
  accessList,
  bytes,
  decodeList,
  type Field,
  list,
  listOf,
  quantity,
  recipient,
} from '../transaction/rlp-fields.ts'
import type { Address } from '../types/bytes.ts'
import { DerivationError } from './derivation-error.ts'

export type SpanTransactionType = 0 | 1 | 2 | 4

/** A signed transaction, taken apart into the columns of a span batch. */
export interface SpanBatchTransaction {
  type: SpanTransactionType
  /** null: contract creation. */
  to: Address | null
  nonce: bigint
  gas: bigint
  yParity: boolean
  r: bigint
  s: bigint
  /** Of a legacy transaction: whether it is bound to its chain (EIP-155). */
  isProtected: boolean
  /** What is left, as it stands in tx_datas: value, fees, data and lists in RLP, after the type. */
  data: Uint8Array
}

/**
 * Where the fields of each type stand in its RLP list. `rest` are the fields that make up tx_datas.
 * Sources: EIP-155, 2930, 1559, 7702; OP specs, Delta "Span batch format", Isthmus "Span Batch Updates".
 */
const LAYOUT = {
  0: { count: 9, nonce: 0, gas: 2, to: 3, rest: [4, 1, 5] },
  1: { count: 11, nonce: 1, gas: 3, to: 4, rest: [5, 2, 6, 7] },
  2: { count: 12, nonce: 1, gas: 4, to: 5, rest: [6, 2, 3, 7, 8] },
  4: { count: 13, nonce: 1, gas: 4, to: 5, rest: [6, 2, 3, 7, 8, 9] },
} as const

export function isSpanTransactionType(type: number): type is SpanTransactionType {
  return type in LAYOUT
}

/**
 * Takes the EIP-2718 bytes of a signed transaction apart.
 * @throws TransactionMalformed, DerivationError BATCH_MALFORMED for a type no span batch can hold
 */
export function splitTransaction(raw: Uint8Array): SpanBatchTransaction {
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!
  if (!isSpanTransactionType(type)) throw malformed(`of type ${type}`)
  const layout = LAYOUT[type]
  const fields = decodeList(type === 0 ? raw : raw.subarray(1), layout.count)
  const [v, r, s] = fields.slice(-3).map((field) => quantity(field, 'signature', 32))
  const rest = encodeRlp(layout.rest.map((index) => fields[index] as RlpItem))
  return {
    type,
    to: recipient(fields[layout.to]),
    nonce: quantity(fields[layout.nonce], 'nonce', 8),
    gas: quantity(fields[layout.gas], 'gas', 8),
    // 27 and 28, 35 + 2 × chain id + parity, or the parity itself.
    yParity: type === 0 ? v! % 2n === 0n : v === 1n,
    r: r!,
    s: s!,
    isProtected: v !== 27n && v !== 28n,
    data: type === 0 ? rest : concatBytes(Uint8Array.of(type), rest),
  }
}

/**
 * Puts a transaction together again. Signature and content are judged when it is executed; here it
 * must only have the shape of its type.
 * @throws TransactionMalformed
 */
export function joinTransaction(transaction: SpanBatchTransaction, chainId: bigint): Uint8Array {
  const { type, to, nonce, gas, yParity, r, s } = transaction
  const layout = LAYOUT[type]
  const rest = decodeList(
    type === 0 ? transaction.data : transaction.data.subarray(1),
    layout.rest.length,
  )
  checkShape(type, rest)

  const fields: RlpItem[] = []
  if (type !== 0) fields[0] = bigIntToBytes(chainId)
  fields[layout.nonce] = bigIntToBytes(nonce)
  fields[layout.gas] = bigIntToBytes(gas)
  fields[layout.to] = to === null ? new Uint8Array(0) : hexToBytes(to)
  for (const [i, index] of layout.rest.entries()) fields[index] = rest[i] as RlpItem
  const parity = yParity ? 1n : 0n
  const v = type !== 0 ? parity : (transaction.isProtected ? chainId * 2n + 35n : 27n) + parity
  const encoded = encodeRlp([...fields, ...[v, r, s].map(bigIntToBytes)])
  return type === 0 ? encoded : concatBytes(Uint8Array.of(type), encoded)
}

function checkShape(type: SpanTransactionType, rest: Field[]): void {
  const fees = type === 0 || type === 1 ? 1 : 2
  for (const field of rest.slice(0, 1 + fees)) quantity(field, 'amount', 32)
  bytes(rest[1 + fees], 'data')
  if (type !== 0) accessList(rest[2 + fees])
  if (type !== 4) return
  for (const entry of list(rest[5], 'authorization list')) {
    for (const field of listOf(entry, 6, 'authorization')) bytes(field, 'authorization field')
  }
}

function malformed(what: string): DerivationError {
  return new DerivationError('BATCH_MALFORMED', `A span batch cannot hold a transaction ${what}.`)
}
