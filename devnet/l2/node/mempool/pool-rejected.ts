import { RollbedError } from '#protocol/errors/rollbed-error'

export type PoolRejectedCode =
  | 'ALREADY_KNOWN'
  | 'CHAIN_WAITS'
  | 'EXCEEDS_BLOCK_GAS_LIMIT'
  | 'FLOOR_GAS_TOO_LOW'
  | 'GAS_ABOVE_CAP'
  | 'INITCODE_TOO_LARGE'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'NONCE_MAX'
  | 'NONCE_TOO_LOW'
  | 'NO_MEMPOOL'
  | 'POOL_FULL'
  | 'REPLACEMENT_UNDERPRICED'
  | 'SENDER_INVALID'
  | 'SENDER_LIMIT'
  | 'SENDER_NOT_EOA'
  | 'TIP_ABOVE_FEE_CAP'
  | 'TRANSACTION_TOO_LARGE'
  | 'TYPE_NOT_SUPPORTED'
  | 'WRONG_CHAIN'

/**
 * The pool does not take a transaction. The message is geth's own sentence (`nonce too low: …`,
 * core/error.go and core/txpool/errors.go), because viem, ethers and people's tests match on it; but for CHAIN_WAITS, which geth does not know.
 */
export class PoolRejected extends RollbedError {
  declare readonly code: PoolRejectedCode

  constructor(code: PoolRejectedCode, message: string, cause?: unknown) {
    super(code, message, { cause })
  }
}
