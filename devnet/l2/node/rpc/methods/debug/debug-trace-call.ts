import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { parseBlockOverrides } from '../../calls/block-overrides.ts'
import { callEnvironment } from '../../calls/call-environment.ts'
import { callRefusal } from '../../calls/call-error.ts'
import { callMessage } from '../../calls/call-message.ts'
import { parseCallObject } from '../../calls/call-object.ts'
import { environmentHeader } from '../../calls/environment-header.ts'
import { forecast } from '../../calls/forecast.ts'
import { parseStateOverrides } from '../../calls/parse-state-overrides.ts'
import { withBaseFee } from '../../calls/with-base-fee.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'
import { parseTraceOptions } from '../../traces/trace-options.ts'
import { withTimeLimit } from '../../traces/with-time-limit.ts'

/**
 * `debug_traceCall [transaction, block?, options?]`: what a tracer says of a call on the state after
 * a block, `pending` included. Beside the tracer's, `options` may have `stateOverrides` and
 * `blockOverrides`. A call that fails is no error.
 *
 * @throws JsonRpcError -32602; -32001 unknown block; -32000, -32003 when it cannot begin
 */
export const debugTraceCall: NodeMethod = async (rpc, params, { signal }) => {
  const [transaction, block, optionsParam] = positional(params)
  const call = parseCallObject(transaction, 'transaction')
  const options = parseTraceOptions(optionsParam)
  const { stateOverrides, blockOverrides, txIndex } = parseRecord(optionsParam ?? {}, 'options')
  if (txIndex !== undefined && txIndex !== null) {
    throw invalidParams('options.txIndex: calls are traced after whole blocks only')
  }
  const message = callMessage(call)
  const selector = parseOptionalStateSelector(block, 'block', 'latest')
  const { stateRoot } = requireBlock(rpc, selector).header
  const request = {
    options,
    stateRoot,
    environment: withBaseFee(
      callEnvironment(
        environmentHeader(rpc, selector),
        parseBlockOverrides(blockOverrides, 'options.blockOverrides'),
      ),
      message,
      rpc.profile,
    ),
    message,
    stateOverrides: [
      ...forecast(rpc, selector),
      ...parseStateOverrides(stateOverrides, 'options.stateOverrides', -32602),
    ],
  }
  return withTimeLimit(rpc, options.timeout, signal, (limited) =>
    rpc.tracer.traceCall(request, limited),
  ).catch((error) => {
    throw callRefusal(error)
  })
}
