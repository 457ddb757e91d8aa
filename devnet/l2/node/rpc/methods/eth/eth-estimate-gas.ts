import { bigIntMin } from '@ethereumjs/util'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CallMessage } from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import { rulesAt } from '#protocol/upgrades/schedule'
import { parseBlockOverrides } from '../../calls/block-overrides.ts'
import { callEnvironment } from '../../calls/call-environment.ts'
import { callError, callRefusal } from '../../calls/call-error.ts'
import { callMessage } from '../../calls/call-message.ts'
import { parseCallObject } from '../../calls/call-object.ts'
import { environmentHeader } from '../../calls/environment-header.ts'
import { forecast } from '../../calls/forecast.ts'
import { parseStateOverrides } from '../../calls/parse-state-overrides.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/**
 * `eth_estimateGas [transaction, block?, stateOverrides?, blockOverrides?]`: a gas limit with which
 * the transaction succeeds; by default on pre-confirmed state, where it would run. Since Azul no estimate
 * is above what a transaction may ask for, 2^24.
 *
 * @throws JsonRpcError as eth_call; -32000 when no gas within the cap is enough
 */
export const ethEstimateGas: NodeMethod = async (rpc, params, { signal }) => {
  const [transaction, block, stateOverrides, blockOverrides] = positional(params)
  const call = parseCallObject(transaction, 'transaction')
  const selector = parseOptionalStateSelector(block, 'block', 'pending')
  const header = environmentHeader(rpc, selector)
  const message = capped(callMessage(call), rpc, header)
  const { stateRoot } = requireBlock(rpc, selector).header
  const request = {
    stateRoot,
    environment: callEnvironment(header, parseBlockOverrides(blockOverrides, 'blockOverrides')),
    message,
    stateOverrides: [
      ...forecast(rpc, selector),
      ...parseStateOverrides(stateOverrides, 'stateOverrides', -32602),
    ],
  }
  const estimate = await rpc.runner.estimateGas(request, signal).catch((error) => {
    throw callRefusal(error)
  })
  if ('gas' in estimate) return toQuantity(estimate.gas)
  if (estimate.failed.halt?.kind === 'out of gas') {
    throw new JsonRpcError(-32000, `gas required exceeds allowance (${message.gas})`)
  }
  throw callError(estimate.failed, message.gas, rpc)
}

/** A call may use more than a transaction (as at reth), an estimate is for a transaction. */
function capped(message: CallMessage, { config }: NodeRpc, { timestamp }: Header): CallMessage {
  const { transactionGasCap } = rulesAt(config.upgrades, timestamp * 1000n)
  if (transactionGasCap === undefined) return message
  return { ...message, gas: bigIntMin(message.gas, transactionGasCap) }
}
