import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { CallContext } from '../calls/run-call.ts'
import { createTracer } from './create-tracer.ts'
import { KeptReplays } from './kept-replays.ts'
import { TraceBudget } from './trace-budget.ts'
import type { BlockTraceRequest } from './trace-runner.ts'

/** What traces run on. */
export interface TraceContext extends CallContext {
  /** Where they go on; without, each block begins anew. */
  replays?: KeptReplays
}

/** Transactions that nobody traces, between two looks at whether the caller is still there. */
const REPLAYS_PER_TURN = 16

/**
 * Executes a block again, up to the transaction asked for or all of it, and traces.
 * @throws JsonRpcError
 */
export async function traceBlock(
  context: TraceContext,
  request: BlockTraceRequest,
  signal: AbortSignal,
): Promise<unknown[]> {
  const budget = new TraceBudget(signal)
  const { transactions, options, index } = request
  const replays = context.replays ?? new KeptReplays()
  const block = await replays.take(context, request, index ?? 0)
  const results: unknown[] = []
  let logCount = block.receipts.reduce((sum, { logs }) => sum + logs.length, 0)
  try {
    for (let at = block.transactions.length; at <= (index ?? transactions.length - 1); at++) {
      const isTraced = index === undefined || at === index
      const tracer = isTraced ? createTracer(options, budget, logCount) : undefined
      if (isTraced || at % REPLAYS_PER_TURN === 0) await budget.takeTurns()
      const { logs } = await block.execute(transactions[at]!, tracer)
      logCount += logs.length
      if (tracer) results.push(tracer.result())
    }
    replays.keep(request, block)
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error
    // Only where a devnet's cheats changed the state between two transactions.
    throw new JsonRpcError(-32000, 'tracing failed: the block does not follow from its parent')
  }
  return results
}
