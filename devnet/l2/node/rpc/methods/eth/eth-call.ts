import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CallOutcome } from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import { parseBlockOverrides } from '../../calls/block-overrides.ts'
import { callEnvironment } from '../../calls/call-environment.ts'
import { callError, callRefusal } from '../../calls/call-error.ts'
import { callMessage } from '../../calls/call-message.ts'
import { parseCallObject } from '../../calls/call-object.ts'
import { environmentHeader } from '../../calls/environment-header.ts'
import { forecast } from '../../calls/forecast.ts'
import { parseStateOverrides } from '../../calls/parse-state-overrides.ts'
import { withBaseFee } from '../../calls/with-base-fee.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { ANSWERED_AT_BASE } from '../../profile-differences.ts'
import { type BlockSelector, parseRequiredStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/**
 * `eth_call [transaction, block, stateOverrides?, blockOverrides?]`: the bytes the call returns.
 * Rules RPC-CALL-*, ERR-01…04; OPEN-05, OPEN-19, OPEN-24…27.
 *
 * @throws JsonRpcError -32602; -32001 unknown block; -32000 revert; -32003 other halts, no funds
 */
export const ethCall: NodeMethod = (rpc, params, { signal }) => {
  const [transaction, block, stateOverrides, blockOverrides] = positional(params)
  const call = parseCallObject(transaction, 'transaction')
  if (call.to === null && rpc.profile.callWithoutTo === 'refused') {
    throw invalidParams(`transaction.to: missing (${ANSWERED_AT_BASE})`)
  }
  const selector = parseRequiredStateSelector(block, 'block', rpc.profile)
  const { stateRoot } = requireBlock(rpc, selector).header
  const message = callMessage(call)
  const overrides = parseBlockOverrides(blockOverrides, 'blockOverrides')
  const request = {
    stateRoot,
    environment: withBaseFee(
      callEnvironment(laggingHeader(rpc, selector), overrides),
      message,
      rpc.profile,
    ),
    message,
    stateOverrides: [
      ...forecast(rpc, selector),
      ...parseStateOverrides(stateOverrides, 'stateOverrides', -32602),
    ],
  }
  const answer = (outcome: CallOutcome) => {
    if (outcome.status === 0) throw callError(outcome, message.gas, rpc)
    return bytesToHex(outcome.output)
  }
  const refuse = (error: unknown): never => {
    throw callRefusal(error)
  }
  try {
    const outcome = rpc.runner.call(request, signal)
    return outcome instanceof Promise ? outcome.catch(refuse).then(answer) : answer(outcome)
  } catch (error) {
    return refuse(error)
  }
}

/** RPC-CALL-20…22, OPEN-05: at pending the environment may be that of an older block. */
function laggingHeader(rpc: NodeRpc, selector: BlockSelector): Header {
  const header = environmentHeader(rpc, selector)
  if (selector !== 'pending' || rpc.pendingEnvLag === 0) return header
  const lagging = header.number - BigInt(rpc.pendingEnvLag)
  return rpc.chain.blockByNumber(lagging > 0n ? lagging : 0n)?.header ?? header
}
