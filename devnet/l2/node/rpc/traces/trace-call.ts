import type { Tracer } from '#protocol/execution/tracer'
import type { CallRequest } from '../calls/call-request.ts'
import { type CallContext, runCall } from '../calls/run-call.ts'
import { accessListTracer } from './access-list-tracer.ts'
import { createTracer } from './create-tracer.ts'
import { TraceBudget } from './trace-budget.ts'
import type { AccessListOutcome, CallTraceRequest } from './trace-runner.ts'

/** Runs a call and tells what the tracer says; a call that reverts is no error. */
export async function traceCall(
  context: CallContext,
  request: CallTraceRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const tracer = createTracer(request.options, new TraceBudget(signal))
  await runCall(listeningContext(context, tracer), request)
  return tracer.result()
}

/** What a call adds can change what it does (GAS, 63/64), so this goes round until nothing is new. */
const MAX_ROUNDS = 10

/** The access list with which a call finds nothing cold any more. */
export async function findAccessList(
  context: CallContext,
  request: CallRequest,
  signal: AbortSignal,
): Promise<AccessListOutcome> {
  const budget = new TraceBudget(signal)
  let accessList = request.message.accessList ?? []
  for (let round = 1; ; round++) {
    const tracer = accessListTracer(accessList, budget)
    const message = { ...request.message, accessList }
    const outcome = await runCall(listeningContext(context, tracer), { ...request, message })
    const found = tracer.result()
    const isComplete = keyCount(found) === keyCount(accessList)
    accessList = found
    if (!isComplete && round < MAX_ROUNDS) continue
    const { gasUsed, halt } = outcome
    return { accessList, gasUsed, ...(halt && { error: halt.message }) }
  }
}

function keyCount(list: { storageKeys: unknown[] }[]): number {
  return list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0)
}

/** The same context, where a tracer hears every call. */
function listeningContext(context: CallContext, tracer: Tracer): CallContext {
  const { executor } = context
  return {
    ...context,
    executor: {
      openBlock: (options) => executor.openBlock(options),
      openScratch: (options) => executor.openScratch({ ...options, tracer }),
      async call(options, message, rules) {
        return executor.openScratch({ ...options, tracer }).call(message, rules)
      },
      callAtHand: () => undefined,
    },
  }
}
