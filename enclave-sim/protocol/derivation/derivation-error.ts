import { RollbedError } from '../errors/rollbed-error.ts'

export type DerivationErrorCode =
  | 'L1_HEADER_MALFORMED'
  | 'L1_ORIGIN_NOT_CANONICAL'
  | 'L1_HEAD_TOO_FAR'
  | 'L1_REORGED'
  | 'L1_ATTRIBUTES_MALFORMED'
  | 'DEPOSIT_LOG_MALFORMED'
  | 'DEPOSITS_INVALID'
  | 'DERIVATION_OUT_OF_STEP'
  | 'BATCH_MALFORMED'

/** Why the L2 chain cannot be derived; garbage on L1 is never an error, it is skipped. */
export class DerivationError extends RollbedError {
  declare readonly code: DerivationErrorCode

  constructor(
    code: DerivationErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown } = {},
  ) {
    super(code, message, options)
  }
}
