import { startMutantProxy } from '#mocks/zoo/mutant-proxy'
import type { Clock } from '#protocol/clock/clock'

/**
 * Stands in front of an HTTP target, changes nothing and counts the requests; `asked`: for a method,
 * `looked`: for a path.
 */
export async function startRequestCounter(options: { target: string; clock: Clock }) {
  const bodies: string[] = []
  const paths: string[] = []
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
          bodies.push(request.body)
          paths.push(request.path)
          return forward(request)
        },
      }),
    },
  })
  return {
    ...proxy,
    // A host may ask who it talks to when it starts; that is no witness data.
    requests: () => bodies.filter((body) => !body.includes('"eth_chainId"')).length,
    asked: (method: string) => bodies.some((body) => body.includes(`"${method}"`)),
    looked: (wanted: RegExp) => paths.some((path) => wanted.test(path)),
  }
}
