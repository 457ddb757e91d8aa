import { JsonRpcError } from '../../../json-rpc/json-rpc-error.ts'
import type { CallGround } from '../calls/run-call.ts'
import { TRACE_JOBS } from './trace-jobs.ts'
import type { TraceRunner } from './trace-runner.ts'

/** Requests that may wait; more get -32005. */
const MAX_WAITING = 100

/**
 * Runs one trace after the other in this thread; other work gets a turn in between.
 * @param ground makes an executor that nobody else uses, when first needed
 */
export function createInlineTraceRunner(openGround: () => Promise<CallGround>): TraceRunner {
  let ground: Promise<CallGround> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  const inTurn =
    <Request, Result>(
      job: (ground: CallGround, request: Request, signal: AbortSignal) => Promise<Result>,
    ) =>
    (request: Request, signal: AbortSignal): Promise<Result> => {
      if (waiting >= MAX_WAITING) {
        const data = `${waiting} traces are waiting already.`
        return Promise.reject(new JsonRpcError(-32005, 'too many traces at once', data))
      }
      waiting++
      ground ??= openGround()
      const turn = Promise.all([ground, last]).then(([on]) => {
        waiting--
        signal.throwIfAborted()
        return job(on, request, signal)
      })
      last = turn.catch(() => undefined)
      return turn
    }
  return {
    traceBlock: inTurn(TRACE_JOBS.traceBlock),
    traceCall: inTurn(TRACE_JOBS.traceCall),
    accessList: inTurn(TRACE_JOBS.accessList),
    witness: inTurn(TRACE_JOBS.witness),
  }
}
