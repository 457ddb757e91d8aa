import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { requireTransaction } from '../../selector/find-transaction.ts'
import { parseTraceOptions } from '../../traces/trace-options.ts'
import { tracesOf } from '../../traces/traces-of.ts'

/**
 * `debug_traceTransaction [hash, options?]`: what a tracer says of a transaction, sealed or
 * pre-confirmed, when it is executed again on the state it found.
 *
 * @throws JsonRpcError -32602; -32000 unknown transaction or tracer, timeout, too large a trace
 */
export const debugTraceTransaction: NodeMethod = async (rpc, params, { signal }) => {
  const [hash, optionsParam] = positional(params)
  const options = parseTraceOptions(optionsParam)
  const { block, index } = requireTransaction(rpc, parseHash(hash, 'hash'))
  const [trace] = await tracesOf(rpc, block, options, signal, index)
  return trace
}
