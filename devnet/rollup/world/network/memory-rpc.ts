import { type DispatchOptions, dispatch } from '#devnet/base/json-rpc/dispatch'
import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import { type RpcClient, RpcRefused, RpcUnreachable } from '#devnet/base/json-rpc/http-rpc-client'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import type { Clock } from '#protocol/clock/clock'
import { type Answerer, type Route, request } from './request.ts'

/**
 * JSON-RPC over a route: httpRpcClient without the HTTP.
 * @throws RpcUnreachable, RpcRefused; `request` does
 */
export function memoryRpcClient(route: Route): RpcClient {
  const url = `http://${route.port.name}`
  let id = 0
  return {
    async request(method, params, signal) {
      id += 1
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const text = await request(route, body, signal).catch((error: Error) => {
        throw signal?.aborted ? error : new RpcUnreachable(url, error.message)
      })
      const answer = parse(text)
      if (answer && 'error' in answer && answer.error) throw new RpcRefused(method, answer.error)
      if (!answer || !('result' in answer))
        throw new RpcUnreachable(url, 'the answer is not JSON-RPC')
      return answer.result
    },
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null
      ? (answer as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Answers JSON-RPC messages with these methods. */
export function rpcAnswerer(options: DispatchOptions): Answerer {
  return (body, signal) => dispatch(body, { signal }, options)
}

/**
 * A client of methods at hand, with nothing between: everything still passes through JSON.
 * @throws RpcRefused; `request` does
 */
export function methodsClient(
  methods: Readonly<Record<string, RpcMethod>>,
  clock: Clock,
): RpcClient {
  const answer = rpcAnswerer(dispatchOptions({ methods, clock }))
  return {
    async request(method, params, signal = new AbortController().signal) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const text = (await answer(body, signal)) ?? ''
      const { result, error } = JSON.parse(text) as { result?: unknown; error?: unknown }
      if (error) throw new RpcRefused(method, error)
      return result
    },
  }
}
