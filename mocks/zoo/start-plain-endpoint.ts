import type { Clock } from '#protocol/clock/clock'
import { type MutantProxy, startMutantProxy } from './mutant-proxy.ts'

/** The node knows no method of this name, and says so. */
const NO_METHOD = 'eth_noSimulateV1'

/**
 * Stands in front of a node as an endpoint without pre-confirmations (OPEN-03, OPEN-04): `pending`
 * is `latest`, and eth_simulateV1 is not offered, in batches neither.
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
        http: (request, forward) => forward({ ...request, body: plainBody(request.body) }),
      }),
    },
  })
}

/** What is no JSON-RPC stays as it is. */
function plainBody(body: string): string {
  try {
    const asked: unknown = JSON.parse(body)
    return JSON.stringify(Array.isArray(asked) ? asked.map(plainCall) : plainCall(asked))
  } catch {
    return body
  }
}

function plainCall(call: unknown): unknown {
  const { method, params } = Object(call)
  if (method === 'eth_simulateV1') return { ...Object(call), method: NO_METHOD }
  if (!Array.isArray(params)) return call
  const plain = params.map((param) => (param === 'pending' ? 'latest' : param))
  return { ...Object(call), params: plain }
}
