import type { Clock } from '#protocol/clock/clock'
import { type MutantProxy, startMutantProxy } from './mutant-proxy.ts'

/**
 * Stands in front of a node as an endpoint without pre-confirmations (OPEN-03, OPEN-04): `pending`
 * is `latest`, and eth_simulateV1 is not offered.
 */
export function startPlainEndpoint(options: {
  target: string
  clock: Clock
}): Promise<MutantProxy> {
  return startMutantProxy({
    ...options,
    mutant: {
      id: 'envelope.plain-endpoint',
      rule: 'RPC-ENV-17',
      area: 'envelope',
      target: 'rpc',
      says: 'Has no pre-confirmations, and says so',
      apply: () => ({
        call(call) {
          if (call.method === 'eth_simulateV1') {
            const error = { code: -32601, message: 'Method not found' }
            return { reply: { jsonrpc: '2.0', id: call.id, error } }
          }
          return {
            ...call,
            params: call.params.map((param) => (param === 'pending' ? 'latest' : param)),
          }
        },
      }),
    },
  })
}
