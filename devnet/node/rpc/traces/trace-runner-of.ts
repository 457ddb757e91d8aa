import { createExecutor } from '../../../../enclave-sim/protocol/execution/create-executor.ts'
import type { NodeRpc } from '../node-rpc.ts'
import { createInlineTraceRunner } from './create-inline-trace-runner.ts'
import type { TraceRunner } from './trace-runner.ts'

const runners = new WeakMap<NodeRpc, TraceRunner>()

/** The node's runner of traces. */
export function traceRunnerOf(rpc: NodeRpc): TraceRunner {
  if (rpc.tracer) return rpc.tracer
  const known = runners.get(rpc)
  if (known) return known
  const { chain, config } = rpc
  const runner = createInlineTraceRunner(async () => ({
    executor: await createExecutor(config),
    store: chain.store,
    blockHash: async (number) => chain.blockByNumber(number)?.hash,
  }))
  runners.set(rpc, runner)
  return runner
}
