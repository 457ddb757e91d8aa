import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import type { HostMetrics } from './host-metrics.ts'

/** The same methods, counted by name and outcome. */
export function countRequests(
  methods: Readonly<Record<string, RpcMethod>>,
  { requests }: Pick<HostMetrics, 'requests'>,
): Record<string, RpcMethod> {
  const counted = Object.entries(methods).map(([method, call]): [string, RpcMethod] => [
    method,
    async (params, context) => {
      try {
        const result = await call(params, context)
        requests.inc({ method, code: 0 })
        return result
      } catch (error) {
        requests.inc({ method, code: context.signal.aborted ? 'gone' : codeOf(error) })
        throw error
      }
    },
  ])
  return Object.fromEntries(counted)
}

function codeOf(error: unknown): number {
  return error instanceof JsonRpcError ? error.rpcCode : -32603
}
