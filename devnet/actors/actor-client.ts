import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type RpcEndpoint, rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** Milliseconds an ordinary call may take. */
const CALL_TIMEOUT = 30_000

/**
 * A JSON-RPC endpoint as an actor uses it: every call ends, after `timeout` milliseconds at the
 * latest, and at once when the actor stops.
 * @throws RpcTimeout, beside what httpRpcClient throws
 */
export function actorClient(
  endpoint: RpcEndpoint,
  options: { clock: Clock; signal: AbortSignal; timeout?: number },
): RpcClient {
  const { clock, signal, timeout = CALL_TIMEOUT } = options
  const client = rpcClientOf(endpoint)
  return {
    async request(method, params) {
      signal.throwIfAborted()
      const expiry = new AbortController()
      const call = client.request(method, params, AbortSignal.any([signal, expiry.signal]))
      return await withTimeout(clock, timeout, call, () => {
        const expired = new RpcTimeout(method, timeout)
        expiry.abort(expired)
        return expired
      })
    },
  }
}

export class RpcTimeout extends RollbedError {
  constructor(method: string, timeout: number) {
    super('RPC_TIMEOUT', `${method} has no answer after ${timeout / 1000} s.`)
  }
}
