import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { EngineTrap } from '#protocol/evm/engine-trap'
import type { CallOutcome } from '#protocol/execution/executor'
import {
  TransactionInvalid,
  type TransactionInvalidCode,
} from '#protocol/execution/transaction-invalid'
import type { ProfileValues } from '../profile-differences.ts'
import { revertReason } from './revert-reason.ts'

/**
 * The error of a call that did not succeed: ERR-01…04 for a revert, OPEN-02 for other halts.
 * @param gas the call's gas limit
 */
export function callError(
  outcome: CallOutcome,
  gas: bigint,
  { profile, preconfirmations }: { profile: ProfileValues; preconfirmations: boolean },
): JsonRpcError {
  const { halt, output } = outcome
  if (halt?.kind === 'revert') {
    const reason = profile.revertMessage === 'with reason' ? revertReason(output) : undefined
    const message = `execution reverted${reason === undefined ? '' : `: ${reason}`}`
    // Without pre-confirmations as anvil and Hardhat have it: their tools tell a revert by its data.
    const data = output.length || !preconfirmations ? bytesToHex(output) : undefined
    return new JsonRpcError(profile.revertCode, message, data)
  }
  if (halt?.kind === 'out of gas') {
    return new JsonRpcError(-32003, `out of gas: gas required exceeds: ${gas}`)
  }
  return new JsonRpcError(-32003, `EVM error: ${halt?.message ?? 'unknown'}`)
}

/** As reth: what the sender lacks is -32003, what the message lacks -32000 (OPEN-02). */
const REFUSALS: Partial<Record<TransactionInvalidCode, [code: number, message: string]>> = {
  INTRINSIC_GAS_TOO_LOW: [-32000, 'intrinsic gas too low'],
  FLOOR_GAS_TOO_LOW: [-32000, 'intrinsic gas too low'],
  FEE_CAP_BELOW_BASE_FEE: [-32000, 'max fee per gas less than block base fee'],
  TIP_ABOVE_FEE_CAP: [-32003, 'max priority fee per gas higher than max fee per gas'],
  INITCODE_TOO_LARGE: [-32000, 'max initcode size exceeded'],
}

/** A call that could not even begin, or that broke the EVM itself; anything else passes unchanged. */
export function callRefusal(error: unknown): unknown {
  if (error instanceof EngineTrap) {
    return new JsonRpcError(-32603, error.message, { code: error.code })
  }
  if (!(error instanceof TransactionInvalid)) return error
  const { have, want } = error.fields
  if (error.code === 'INSUFFICIENT_FUNDS') {
    const message = `insufficient funds for gas * price + value: have ${have} want ${want}`
    return new JsonRpcError(-32003, message)
  }
  const [code, message] = REFUSALS[error.code] ?? [-32000, error.message]
  return new JsonRpcError(code, message)
}
