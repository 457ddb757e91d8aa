import type { CallMessage } from '#protocol/execution/executor'
import type { ProfileValues } from '../profile-differences.ts'
import type { CallEnvironment } from './call-request.ts'
import { namesFees } from './run-call.ts'

/**
 * What a call sees as BASEFEE: that of the block, or zero where the profile says so and the call names no
 * fee, as nodes do that run such a call without taking one (RPC-CALL-22, OPEN-24).
 */
export function withBaseFee(
  environment: CallEnvironment,
  message: CallMessage,
  { callBaseFee }: Pick<ProfileValues, 'callBaseFee'>,
): CallEnvironment {
  const isFree = callBaseFee === 'zero' && !namesFees(message)
  return isFree ? { ...environment, baseFeePerGas: 0n } : environment
}
