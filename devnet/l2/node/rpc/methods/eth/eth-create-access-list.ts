import { positional } from '#devnet/base/json-rpc/params/positional'
import { callEnvironment } from '../../calls/call-environment.ts'
import { callRefusal } from '../../calls/call-error.ts'
import { callMessage } from '../../calls/call-message.ts'
import { parseCallObject } from '../../calls/call-object.ts'
import { environmentHeader } from '../../calls/environment-header.ts'
import { forecast } from '../../calls/forecast.ts'
import { parseStateOverrides } from '../../calls/parse-state-overrides.ts'
import { withBaseFee } from '../../calls/with-base-fee.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'
import { withTimeLimit } from '../../traces/with-time-limit.ts'

/** Milliseconds, as for traces. */
const TIMEOUT = 5_000

/**
 * `eth_createAccessList [transaction, block?, stateOverrides?]`: the EIP-2930 access list that makes
 * everything warm which the call reads, and the gas the call uses with it; `error` when it fails.
 *
 * @throws JsonRpcError -32602; -32001 unknown block; -32000, -32003 when it cannot begin
 */
export const ethCreateAccessList: NodeMethod = async (rpc, params, { signal }) => {
  const [transaction, block, stateOverrides] = positional(params)
  const call = parseCallObject(transaction, 'transaction')
  const message = callMessage(call)
  const selector = parseOptionalStateSelector(block, 'block', 'latest')
  const { stateRoot } = requireBlock(rpc, selector).header
  const request = {
    stateRoot,
    environment: withBaseFee(
      callEnvironment(environmentHeader(rpc, selector)),
      message,
      rpc.profile,
    ),
    message,
    stateOverrides: [
      ...forecast(rpc, selector),
      ...parseStateOverrides(stateOverrides, 'stateOverrides', -32602),
    ],
  }
  const outcome = await withTimeLimit(rpc, TIMEOUT, signal, (limited) =>
    rpc.tracer.accessList(request, limited),
  ).catch((error) => {
    throw callRefusal(error)
  })
  return { ...outcome, gasUsed: toQuantity(outcome.gasUsed) }
}
