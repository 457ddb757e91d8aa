/** What the execution-spec-tests call a reason for refusal, and our code for it. */
const CODES: Record<string, string> = {
  GAS_ALLOWANCE_EXCEEDED: 'BLOCK_GAS_EXCEEDED',
  GASLIMIT_PRICE_PRODUCT_OVERFLOW: 'INSUFFICIENT_FUNDS',
  GAS_LIMIT_EXCEEDS_MAXIMUM: 'GAS_ABOVE_CAP',
  INITCODE_SIZE_EXCEEDED: 'INITCODE_TOO_LARGE',
  INSUFFICIENT_ACCOUNT_FUNDS: 'INSUFFICIENT_FUNDS',
  INSUFFICIENT_MAX_FEE_PER_GAS: 'FEE_CAP_BELOW_BASE_FEE',
  INTRINSIC_GAS_BELOW_FLOOR_GAS_COST: 'FLOOR_GAS_TOO_LOW',
  INTRINSIC_GAS_TOO_LOW: 'INTRINSIC_GAS_TOO_LOW',
  NONCE_IS_MAX: 'NONCE_MAX',
  NONCE_MISMATCH_TOO_HIGH: 'NONCE_TOO_HIGH',
  NONCE_MISMATCH_TOO_LOW: 'NONCE_TOO_LOW',
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS: 'TIP_ABOVE_FEE_CAP',
  RLP_INVALID_VALUE: 'QUANTITY_TOO_LARGE',
  SENDER_NOT_EOA: 'SENDER_NOT_EOA',
  TYPE_4_EMPTY_AUTHORIZATION_LIST: 'AUTHORIZATION_LIST_EMPTY',
  TYPE_4_TX_CONTRACT_CREATION: 'FIELD_INVALID',
}

/**
 * Whether a refusal is the one a test expects.
 * @param exception names behind `TransactionException.`, `|` between alternatives
 */
export function isExpectedRefusal(code: string, exception: string): boolean {
  const names = exception.split('|').map((name) => name.replace('TransactionException.', ''))
  return names.some((name) => CODES[name] === code)
}
