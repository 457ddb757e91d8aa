import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { requireBlock, requireBlockByHash } from '../../selector/find-block.ts'
import { decodeBlock } from '../../traces/decode-block.ts'
import type { ReplayableBlock } from '../../traces/find-replay.ts'
import { parseTraceOptions } from '../../traces/trace-options.ts'
import { tracesOf } from '../../traces/traces-of.ts'

/**
 * `debug_traceBlockByNumber [block, options?]`: `{txHash, result}` of each transaction; `pending`
 * traces the pre-confirmed ones.
 * @throws JsonRpcError -32602, -32001 unknown block, -32000
 */
export const debugTraceBlockByNumber: NodeMethod = (rpc, params, { signal }) => {
  const [block, options] = positional(params)
  return traceAll(rpc, requireBlock(rpc, parseBlockSelector(block, 'block')), options, signal)
}

/** `debug_traceBlockByHash [hash, options?]`: the same. @throws JsonRpcError -32602, -32001, -32000 */
export const debugTraceBlockByHash: NodeMethod = (rpc, params, { signal }) => {
  const [hash, options] = positional(params)
  return traceAll(rpc, requireBlockByHash(rpc, parseHash(hash, 'hash')), options, signal)
}

/**
 * `debug_traceBlock [rlp, options?]`: the same of a block that need not be in the chain, as long as
 * its parent is.
 * @throws JsonRpcError -32602, -32001 unknown parent, -32000
 */
export const debugTraceBlock: NodeMethod = (rpc, params, { signal }) => {
  const [rlp, options] = positional(params)
  return traceAll(rpc, decodeBlock(parseBytes(rlp, 'rlp')), options, signal)
}

async function traceAll(
  rpc: NodeRpc,
  block: ReplayableBlock,
  optionsParam: unknown,
  signal: AbortSignal,
) {
  const results = await tracesOf(rpc, block, parseTraceOptions(optionsParam), signal)
  return results.map((result, index) => ({ txHash: block.transactions[index]!.hash, result }))
}
