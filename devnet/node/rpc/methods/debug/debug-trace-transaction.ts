import { JsonRpcError } from '../../../../json-rpc/json-rpc-error.ts'
import { parseHash } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction } from '../../selector/find-transaction.ts'
import { findReplay } from '../../traces/find-replay.ts'
import { parseTraceOptions } from '../../traces/trace-options.ts'
import { withTimeLimit } from '../../traces/with-time-limit.ts'

/**
 * `debug_traceTransaction [hash, options?]`: what a tracer says of a transaction, sealed or
 * pre-confirmed, when it is executed again on the state it found.
 *
 * @throws JsonRpcError -32602; -32000 unknown transaction or tracer, timeout, too large a trace
 */
export const debugTraceTransaction: NodeMethod = async (rpc, params, { signal }) => {
  const [hash, optionsParam] = positional(params)
  const options = parseTraceOptions(optionsParam)
  const found = findTransaction(rpc, parseHash(hash, 'hash'))
  if (!found) throw new JsonRpcError(-32000, 'transaction not found')
  const request = { ...findReplay(rpc, found.block), options, index: found.index }
  const [trace] = await withTimeLimit(rpc, options.timeout, signal, (limited) =>
    rpc.tracer.traceBlock(request, limited),
  )
  return trace
}
