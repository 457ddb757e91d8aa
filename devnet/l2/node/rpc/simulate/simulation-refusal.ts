import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import {
  TransactionInvalid,
  type TransactionInvalidCode,
} from '#protocol/execution/transaction-invalid'
import type { Address } from '#protocol/types/bytes'

/** Codes of a whole simulation's failure (execution-apis, eth_simulateV1). */
const REFUSALS: Partial<Record<TransactionInvalidCode, [code: number, what: string]>> = {
  NONCE_TOO_LOW: [-38010, 'nonce too low'],
  NONCE_TOO_HIGH: [-38011, 'nonce too high'],
  NONCE_MAX: [-32603, 'nonce has max value'],
  FEE_CAP_BELOW_BASE_FEE: [-38012, 'max fee per gas less than block base fee'],
  TIP_ABOVE_FEE_CAP: [-32602, 'max priority fee per gas higher than max fee per gas'],
  INTRINSIC_GAS_TOO_LOW: [-38013, 'intrinsic gas too low'],
  FLOOR_GAS_TOO_LOW: [-38013, 'insufficient gas for floor data gas cost'],
  INSUFFICIENT_FUNDS: [-38014, 'insufficient funds for gas * price + value'],
  BLOCK_GAS_EXCEEDED: [-38015, 'block gas limit reached'],
  SENDER_NOT_EOA: [-38024, 'sender is not an EOA'],
  INITCODE_TOO_LARGE: [-38025, 'max initcode size exceeded'],
}

/** Why a simulated call could not begin; it fails the whole simulation. Other errors pass. */
export function simulationRefusal(error: unknown, { from }: { from: Address }): unknown {
  if (!(error instanceof TransactionInvalid)) return error
  const [code, what] = REFUSALS[error.code] ?? [-32000, error.message]
  const numbers = Object.entries(error.fields).map(([name, value]) => `, ${name} ${value}`)
  return new JsonRpcError(code, `${what}: address ${from}${numbers.join('')}`)
}
