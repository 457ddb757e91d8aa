import type { Clock } from '../../../../enclave-sim/protocol/clock/clock.ts'
import { JsonRpcError } from '../../../json-rpc/json-rpc-error.ts'

/**
 * Does what can be aborted, and aborts it after `limit` milliseconds or when the caller goes away.
 * @throws JsonRpcError -32000 `execution timeout`; the signal's reason
 */
export async function withTimeLimit<T>(
  clock: Clock,
  limit: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const timer = clock.after(limit, () => late.abort(new JsonRpcError(-32000, 'execution timeout')))
  return work(AbortSignal.any([signal, late.signal])).finally(() => timer.cancel())
}
