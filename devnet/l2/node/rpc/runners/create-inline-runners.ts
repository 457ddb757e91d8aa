import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor } from '#protocol/execution/executor'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { ChainView } from '../../chain-view.ts'
import { TRACE_JOBS } from '../traces/trace-jobs.ts'
import type { TraceRunner } from '../traces/trace-runner.ts'
import type { WaitingCallRunner } from './call-runner.ts'
import { createInlineCallRunner } from './create-inline-call-runner.ts'

/**
 * What a node's workers do, in this thread: for a simulated world, and for tests of methods.
 * @param makeExecutor default: that of an OP chain with this configuration
 */
export async function createInlineRunners(
  chain: ChainView,
  config: ExecutionConfig,
  makeExecutor: () => Promise<Executor> = () => createExecutor(config),
): Promise<{ runner: WaitingCallRunner; tracer: TraceRunner }> {
  const context = async () => ({
    executor: await makeExecutor(),
    store: chain.store,
    blockHash: (number: bigint) => chain.blockHash(number),
  })
  const runner = createInlineCallRunner(await context())
  const tracer: TraceRunner = {
    traceBlock: async (...request) => TRACE_JOBS.traceBlock(await context(), ...request),
    traceCall: async (...request) => TRACE_JOBS.traceCall(await context(), ...request),
    ready: async () => undefined,
    accessList: async (...request) => TRACE_JOBS.accessList(await context(), ...request),
    witness: async (...request) => TRACE_JOBS.witness(await context(), ...request),
  }
  return { runner, tracer }
}
