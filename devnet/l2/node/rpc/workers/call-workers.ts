import type { BesideCallRunner } from '../runners/call-runner.ts'
import { createInlineRunners } from '../runners/create-inline-runners.ts'
import type { TraceRunner } from '../traces/trace-runner.ts'

/** Who runs what takes long beside the node: its calls, simulations and traces. */
export interface CallWorkers extends BesideCallRunner, TraceRunner {}

/** What worker threads do, in this one: where one thread is all there is. */
export async function createInlineWorkers(
  ...asked: Parameters<typeof createInlineRunners>
): Promise<CallWorkers> {
  const { runner, tracer } = await createInlineRunners(...asked)
  return { ...runner, ...tracer, standBy: () => false }
}
