import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { VirtualClock } from '#protocol/clock/virtual-clock'

/** Serves an RpcClient over real HTTP, on a free port: what a host is pointed at. */
export async function jsonRpcEndpoint(
  client: RpcClient,
  methods: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const forward = (method: string) => (params: RpcParams) =>
    client.request(method, Array.isArray(params) ? params : [])
  const server = createJsonRpcServer({
    methods: Object.fromEntries(methods.map((method) => [method, forward(method)])),
    clock: new VirtualClock(),
  })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
