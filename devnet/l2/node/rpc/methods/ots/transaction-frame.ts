import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { requireTransaction } from '../../selector/find-transaction.ts'
import { callFrames } from '../../traces/call-frames.ts'
import type { CallFrame } from '../../traces/call-tracer.ts'

/**
 * The call tree of the transaction that a method's only parameter names, sealed or pre-confirmed.
 * @throws JsonRpcError -32602; -32000 unknown transaction, timeout, too large a trace
 */
export async function transactionFrame(
  ...[rpc, params, { signal }]: Parameters<NodeMethod>
): Promise<CallFrame> {
  const { block, index } = requireTransaction(rpc, parseHash(positional(params)[0], 'hash'))
  const [frame] = await callFrames(rpc, block, signal, index)
  return frame!
}
