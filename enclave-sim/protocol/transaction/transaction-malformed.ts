import { RollbedError } from '../errors/rollbed-error.ts'

export type TransactionMalformedCode =
  | 'TRANSACTION_EMPTY'
  | 'TRANSACTION_TYPE_UNKNOWN'
  | 'BLOB_TRANSACTION_UNSUPPORTED'
  | 'RLP_INVALID'
  | 'FIELD_COUNT_WRONG'
  | 'FIELD_INVALID'
  | 'QUANTITY_NOT_CANONICAL'
  | 'QUANTITY_TOO_LARGE'
  | 'SIGNATURE_HIGH_S'
  | 'SIGNATURE_INVALID'
  | 'AUTHORIZATION_LIST_EMPTY'

/** Bytes that are no transaction of this chain, whatever the state. */
export class TransactionMalformed extends RollbedError {
  declare readonly code: TransactionMalformedCode

  constructor(code: TransactionMalformedCode, message: string, cause?: unknown) {
    super(code, message, { hint: 'Sign and encode the transaction again.', cause })
  }
}
