import { createPublicClient, custom, type PublicClient } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'

/** A viem client over a JSON-RPC endpoint, without viem's own retries, caches and timers. */
export function l1Client(rpc: RpcClient): PublicClient {
  const provider = {
    async request({ method, params }: { method: string; params?: unknown }) {
      try {
        return await rpc.request(method, (params ?? []) as unknown[])
      } catch (error) {
        throw error instanceof RpcRefused ? providerError(error) : error
      }
    },
  }
  return createPublicClient({ cacheTime: 0, transport: custom(provider, { retryCount: 0 }) })
}

/** As EIP-1193 has it: viem reads revert data from there. */
function providerError({ message, rpcCode, data }: RpcRefused): Error {
  return Object.assign(new Error(message), { code: rpcCode, data })
}
