import { JsonRpcError } from '../../../../json-rpc/json-rpc-error.ts'
import { parseHash } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction } from '../../selector/find-transaction.ts'
import { callFrames } from '../../traces/call-frames.ts'
import type { CallFrame } from '../../traces/call-tracer.ts'

/**
 * The call tree of the transaction that a method's only parameter names, sealed or pre-confirmed.
 * @throws JsonRpcError -32602; -32000 unknown transaction, timeout, too large a trace
 */
export async function transactionFrame(
  ...[rpc, params, { signal }]: Parameters<NodeMethod>
): Promise<CallFrame> {
  const found = findTransaction(rpc, parseHash(positional(params)[0], 'hash'))
  if (!found) throw new JsonRpcError(-32000, 'transaction not found')
  const [frame] = await callFrames(rpc, found.block, signal, found.index)
  return frame!
}
