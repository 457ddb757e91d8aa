import { bigIntMin } from '@ethereumjs/util'
import type { CallMessage } from '#protocol/execution/executor'
import type { CallObject } from './call-object.ts'

/** The most gas one RPC call may use (OPEN-24…27); a higher `gas` is lowered to it. */
export const RPC_GAS_CAP = 50_000_000n

/** The message of a call that stands alone: its nonce is of no interest. */
export function callMessage(call: CallObject): CallMessage {
  const { gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = call
  return {
    from: call.from,
    to: call.to,
    data: call.data,
    value: call.value,
    gas: bigIntMin(gas ?? RPC_GAS_CAP, RPC_GAS_CAP),
    ...(gasPrice !== undefined && { gasPrice }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas }),
    ...(accessList && { accessList }),
    ...(authorizationList && { authorizationList }),
  }
}
