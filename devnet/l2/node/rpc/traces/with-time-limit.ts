import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { TracedChain } from './trace-runner.ts'

/**
 * Does what can be aborted, and aborts it after `limit` milliseconds or when the caller goes away. The
 * time counts from when somebody can do it.
 * @throws JsonRpcError -32000 `execution timeout`; the signal's reason
 */
export async function withTimeLimit<T>(
  { clock, tracer }: Pick<TracedChain, 'clock' | 'tracer'>,
  limit: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await tracer.ready()
  const late = new AbortController()
  const timer = clock.after(limit, () => late.abort(new JsonRpcError(-32000, 'execution timeout')))
  return work(AbortSignal.any([signal, late.signal])).finally(() => timer.cancel())
}
