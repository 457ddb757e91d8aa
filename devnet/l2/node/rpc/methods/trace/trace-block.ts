import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'
import { flatTraces } from '../../traces/flat-traces.ts'

/**
 * `trace_block [block]`: what `trace_transaction` says of each transaction of a block, one after the
 * other; of `pending` those that are pre-confirmed.
 * @throws JsonRpcError -32602; -32001 unknown block; -32000 timeout, too large a trace
 */
export const traceBlock: NodeMethod = (rpc, params, { signal }) =>
  flatTraces(rpc, requireBlock(rpc, parseBlockSelector(positional(params)[0], 'block')), signal)
