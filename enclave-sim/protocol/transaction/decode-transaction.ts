import { keccak256Hex } from '../crypto/keccak.ts'
import type { Address } from '../types/bytes.ts'
import type { Transaction } from '../types/transaction.ts'
import { decodeDeposit } from './decode-deposit.ts'
import { decodeLegacy } from './decode-legacy.ts'
import { decodeTyped } from './decode-typed.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

/**
 * Decodes an EIP-2718 transaction of type 0, 1, 2, 4 or 0x7e (deposit) and recovers its sender.
 * @throws TransactionMalformed
 * @example
 * const { from, hash } = decodeTransaction(hexToBytes(raw))
 */
export function decodeTransaction(raw: Uint8Array): Transaction {
  return decode(raw)
}

/**
 * Decodes a transaction whose sender was recovered before: its signature is not looked at.
 * @throws TransactionMalformed
 */
export function decodeTransactionFrom(sender: Address, raw: Uint8Array): Transaction {
  return decode(raw, sender)
}

function decode(raw: Uint8Array, sender?: Address): Transaction {
  const type = raw[0]
  if (type === undefined) {
    throw new TransactionMalformed('TRANSACTION_EMPTY', 'The transaction has no bytes.')
  }
  const hash = keccak256Hex(raw)
  if (type >= 0xc0) return decodeLegacy(raw, hash, sender)
  if (type === 1 || type === 2 || type === 4) return decodeTyped(type, raw, hash, sender)
  if (type === 0x7e) return decodeDeposit(raw, hash)
  if (type === 3) {
    // OP spec, Ecotone: L2 blocks carry no blobs.
    throw new TransactionMalformed('BLOB_TRANSACTION_UNSUPPORTED', 'L2 has no blob transactions.')
  }
  throw new TransactionMalformed(
    'TRANSACTION_TYPE_UNKNOWN',
    `There is no transaction type ${type}.`,
  )
}
