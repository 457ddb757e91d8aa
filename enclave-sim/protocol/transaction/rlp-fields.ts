import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { type DecodedRlp, decodeRlp } from '../bytes/decode-rlp.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { AccessListEntry } from '../types/transaction.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

export type Field = DecodedRlp | undefined

/** Of lists: transaction, access list, entry, storage keys; one more around a blob's network form. */
const MAX_DEPTH = 5

/**
 * Decodes an RLP list of exactly `count` items.
 * @throws TransactionMalformed RLP_INVALID, FIELD_COUNT_WRONG
 */
export function decodeList(bytes: Uint8Array, count: number): Field[] {
  let item: Field
  try {
    item = decodeRlp(bytes, MAX_DEPTH)
  } catch (cause) {
    throw new TransactionMalformed('RLP_INVALID', 'The transaction is not canonical RLP.', cause)
  }
  return listOf(item, count, 'transaction')
}

/**
 * A list of exactly `count` items.
 * @param name how an error calls the field
 * @throws TransactionMalformed FIELD_INVALID, FIELD_COUNT_WRONG
 */
export function listOf(field: Field, count: number, name: string): Field[] {
  const items = list(field, name)
  if (items.length !== count) {
    throw new TransactionMalformed(
      'FIELD_COUNT_WRONG',
      `The ${name} has ${items.length} fields instead of ${count}.`,
    )
  }
  return items
}

/** A list of any length. @throws TransactionMalformed FIELD_INVALID */
export function list(field: Field, name: string): Field[] {
  if (!Array.isArray(field)) throw invalid(name, 'a list')
  return field
}

/** A byte string of any length, a part of what was decoded: who keeps it copies it. @throws TransactionMalformed FIELD_INVALID */
export function bytes(field: Field, name: string): Uint8Array {
  if (!(field instanceof Uint8Array)) throw invalid(name, 'a byte string')
  return field
}

/**
 * An unsigned integer of at most `maxBytes` bytes, without leading zeros.
 * @throws TransactionMalformed FIELD_INVALID, QUANTITY_TOO_LARGE, QUANTITY_NOT_CANONICAL
 * @example
 * quantity(Uint8Array.of(1, 0), 'nonce', 8) // 256n
 */
export function quantity(field: Field, name: string, maxBytes: 1 | 8 | 16 | 32): bigint {
  const value = bytes(field, name)
  if (value.length > maxBytes) {
    throw new TransactionMalformed(
      'QUANTITY_TOO_LARGE',
      `The ${name} does not fit into ${maxBytes * 8} bits.`,
    )
  }
  if (value[0] === 0) {
    throw new TransactionMalformed('QUANTITY_NOT_CANONICAL', `The ${name} has a leading zero.`)
  }
  return bytesToBigInt(value)
}

/** 20 bytes, in lower case. @throws TransactionMalformed FIELD_INVALID */
export function address(field: Field, name: string): Address {
  const value = bytes(field, name)
  if (value.length !== 20) throw invalid(name, 'an address')
  return bytesToHex(value)
}

/** An address, or null for the empty string that stands for contract creation. */
export function recipient(field: Field): Address | null {
  return bytes(field, 'to').length === 0 ? null : address(field, 'to')
}

/** 32 bytes. @throws TransactionMalformed FIELD_INVALID */
export function hash(field: Field, name: string): Hash {
  const value = bytes(field, name)
  if (value.length !== 32) throw invalid(name, '32 bytes')
  return bytesToHex(value)
}

/**
 * The number 0 or 1.
 * @throws TransactionMalformed FIELD_INVALID
 * @example
 * flag(new Uint8Array(0), 'parity') // false
 */
export function flag(field: Field, name: string): boolean {
  const value = quantity(field, name, 1)
  if (value > 1n) throw invalid(name, '0 or 1')
  return value === 1n
}

/** The access list of EIP-2930. */
export function accessList(field: Field): AccessListEntry[] {
  return list(field, 'access list').map((entry) => {
    const [account, keys] = listOf(entry, 2, 'access list entry')
    return {
      address: address(account, 'access list address'),
      storageKeys: list(keys, 'storage keys').map((key) => hash(key, 'storage key')),
    }
  })
}

function invalid(name: string, expected: string): TransactionMalformed {
  return new TransactionMalformed('FIELD_INVALID', `The ${name} is not ${expected}.`)
}
