import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction } from '../../selector/find-transaction.ts'
import { flatTraces } from '../../traces/flat-traces.ts'

/**
 * `trace_transaction [hash]`: every call, creation and selfdestruct of a transaction, in the form of
 * OpenEthereum's `trace` module; null where the transaction is unknown.
 * @throws JsonRpcError -32602; -32000 timeout, too large a trace
 */
export const traceTransaction: NodeMethod = async (rpc, params, { signal }) => {
  const found = findTransaction(rpc, parseHash(positional(params)[0], 'hash'))
  if (!found) return null
  return await flatTraces(rpc, found.block, signal, found.index)
}
