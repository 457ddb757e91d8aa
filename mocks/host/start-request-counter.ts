import type { Clock } from '../../enclave-sim/clock/clock.ts'
import { startMutantProxy } from '../zoo/mutant-proxy.ts'

/** Stands in front of an HTTP target, changes nothing and counts the requests. */
export async function startRequestCounter(options: { target: string; clock: Clock }) {
  let count = 0
  const proxy = await startMutantProxy({
    ...options,
    mutant: {
      id: 'host.request-counter',
      rule: 'PIPE-01',
      area: 'host',
      target: 'rpc',
      says: 'Changes nothing',
      apply: () => ({
        http(request, forward) {
          count += 1
          return forward(request)
        },
      }),
    },
  })
  return { ...proxy, requests: () => count }
}
