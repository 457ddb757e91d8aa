import { RollbedError } from '../errors/rollbed-error.ts'

export type TransactionInvalidCode =
  | 'NONCE_TOO_LOW'
  | 'NONCE_TOO_HIGH'
  | 'NONCE_MAX'
  | 'SENDER_NOT_EOA'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'FLOOR_GAS_TOO_LOW'
  | 'FEE_CAP_BELOW_BASE_FEE'
  | 'TIP_ABOVE_FEE_CAP'
  | 'BLOCK_GAS_EXCEEDED'
  | 'BLOCK_DA_EXCEEDED'
  | 'GAS_ABOVE_CAP'
  | 'INITCODE_TOO_LARGE'
  | 'WRONG_CHAIN'

/** A well-formed transaction that may not stand in this block on this state. Nothing was changed. */
export class TransactionInvalid extends RollbedError {
  declare readonly code: TransactionInvalidCode
  /** The numbers compared, e.g. `{ have, want }`. */
  readonly fields: Readonly<Record<string, bigint>>

  constructor(code: TransactionInvalidCode, message: string, fields: Record<string, bigint> = {}) {
    super(code, message)
    this.fields = fields
  }
}
