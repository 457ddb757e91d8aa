import { TransactionInvalid } from '../../../../enclave-sim/protocol/execution/transaction-invalid.ts'
import { JsonRpcError } from '../../../json-rpc/json-rpc-error.ts'
import type { CallGround } from '../calls/run-call.ts'
import { createTracer } from './create-tracer.ts'
import { openReplay } from './replay.ts'
import { TraceBudget } from './trace-budget.ts'
import type { BlockTraceRequest } from './trace-runner.ts'

/**
 * Executes a block again, up to the transaction asked for or all of it, and traces.
 * @throws JsonRpcError
 */
export async function traceBlock(
  ground: CallGround,
  request: BlockTraceRequest,
  signal: AbortSignal,
): Promise<unknown[]> {
  const budget = new TraceBudget(signal)
  const { transactions, options, index } = request
  const block = await openReplay(ground, request)
  const results: unknown[] = []
  let logCount = 0
  try {
    for (const [at, transaction] of transactions.entries()) {
      if (index !== undefined && at > index) break
      const isTraced = index === undefined || at === index
      const tracer = isTraced ? createTracer(options, budget, logCount) : undefined
      await budget.takeTurns()
      const { logs } = await block.execute(transaction, tracer)
      logCount += logs.length
      if (tracer) results.push(tracer.result())
    }
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error
    // Only where a devnet's cheats changed the state between two transactions.
    throw new JsonRpcError(-32000, 'tracing failed: the block does not follow from its parent')
  }
  return results
}
