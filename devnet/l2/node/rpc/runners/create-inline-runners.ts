import type { Engine } from '#protocol/evm/engine'
import { withEngine } from '#protocol/evm/with-engine'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor } from '#protocol/execution/executor'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { ChainView } from '../../chain-view.ts'
import type { CallContext } from '../calls/run-call.ts'
import { TRACE_JOBS } from '../traces/trace-jobs.ts'
import type { TraceRunner } from '../traces/trace-runner.ts'
import type { WaitingCallRunner } from './call-runner.ts'
import { createInlineCallRunner } from './create-inline-call-runner.ts'

/**
 * What a node's workers do, in this thread: for a simulated world, and for tests of methods.
 * @param makeExecutor default: that of an OP chain with this configuration
 * @param engine that nothing else uses, for calls; a fresh one by default. Each trace is lent one.
 */
export async function createInlineRunners(
  chain: ChainView,
  config: ExecutionConfig,
  makeExecutor: (engine?: Engine) => Promise<Executor> = (own) => createExecutor(config, own),
  engine?: Engine,
): Promise<{ runner: WaitingCallRunner; tracer: TraceRunner }> {
  const context = async (own?: Engine) => ({
    executor: await makeExecutor(own),
    store: chain.store,
    blockHash: (number: bigint) => chain.blockHash(number),
  })
  const runner = createInlineCallRunner(await context(engine))
  const lent = <T>(job: (context: CallContext) => Promise<T>): Promise<T> =>
    withEngine(async (own) => job(await context(own)))
  const tracer: TraceRunner = {
    traceBlock: (...request) => lent((own) => TRACE_JOBS.traceBlock(own, ...request)),
    traceCall: (...request) => lent((own) => TRACE_JOBS.traceCall(own, ...request)),
    ready: async () => undefined,
    accessList: (...request) => lent((own) => TRACE_JOBS.accessList(own, ...request)),
    witness: (...request) => lent((own) => TRACE_JOBS.witness(own, ...request)),
  }
  return { runner, tracer }
}
