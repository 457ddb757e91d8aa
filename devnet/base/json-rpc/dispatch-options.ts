import type { DispatchOptions } from './dispatch.ts'
import { FairTurns } from './fair-turns.ts'
import type { JsonRpcServerOptions } from './json-rpc-server.ts'

/** What of a server's options is about calls, and not about sockets. */
type CallOptions = Pick<
  JsonRpcServerOptions,
  | 'methods'
  | 'clock'
  | 'maxBatch'
  | 'maxResponse'
  | 'maxBatchResponse'
  | 'maxBatchTime'
  | 'onInternalError'
>

/** Fills in the limits that are not given; `JsonRpcServerOptions` says what they are. */
export function dispatchOptions(options: CallOptions): DispatchOptions {
  const { methods, clock, onInternalError, maxBatch = 1000, maxBatchTime = 30_000 } = options
  const { maxResponse = 160 * 1024 * 1024, maxBatchResponse = 25_000_000 } = options
  return {
    methods,
    maxBatch,
    maxResponse,
    maxBatchResponse: Math.min(maxBatchResponse, maxResponse),
    maxBatchTime,
    clock,
    turns: new FairTurns(clock),
    onInternalError,
  }
}
