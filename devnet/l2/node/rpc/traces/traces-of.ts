import { findReplay, type ReplayableBlock } from './find-replay.ts'
import type { TraceOptions } from './trace-options.ts'
import type { BlockTraceRequest, TracedChain } from './trace-runner.ts'
import { withTimeLimit } from './with-time-limit.ts'

/**
 * What a tracer says of each of a block's transactions, or of the one at `index`, within the time that the
 * options allow.
 * @throws JsonRpcError -32000 for genesis, a timeout, too large a trace; -32001 when the parent is unknown;
 * 4444 when its state is gone; -32602 for a header that is none of this chain's
 */
export async function tracesOf(
  rpc: TracedChain,
  block: ReplayableBlock,
  options: TraceOptions,
  signal: AbortSignal,
  index?: number,
): Promise<unknown[]> {
  const replay = findReplay(rpc, block)
  const request: BlockTraceRequest = { ...replay, options }
  if (index !== undefined) {
    request.index = index
    // What comes behind need not travel to another thread.
    request.transactions = replay.transactions.slice(0, index + 1)
  }
  return await withTimeLimit(rpc, options.timeout, signal, (limited) =>
    rpc.tracer.traceBlock(request, limited),
  )
}
