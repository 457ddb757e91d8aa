import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { TransactionMalformed } from '#protocol/transaction/transaction-malformed'
import type { Transaction } from '#protocol/types/transaction'
import { PoolRejected } from '../mempool/pool-rejected.ts'

/**
 * Decodes what a user sent. What geth can parse and then refuses gets geth's words.
 * @throws TransactionMalformed, PoolRejected SENDER_INVALID, TYPE_NOT_SUPPORTED
 */
export function decodeSubmission(raw: Uint8Array): Transaction {
  try {
    return decodeTransaction(raw)
  } catch (error) {
    if (!(error instanceof TransactionMalformed)) throw error
    switch (error.code) {
      case 'SIGNATURE_HIGH_S':
      case 'SIGNATURE_INVALID':
        throw new PoolRejected('SENDER_INVALID', 'invalid sender', error)
      case 'BLOB_TRANSACTION_UNSUPPORTED':
      case 'TRANSACTION_TYPE_UNKNOWN':
        throw new PoolRejected('TYPE_NOT_SUPPORTED', 'transaction type not supported', error)
      default:
        throw error
    }
  }
}
